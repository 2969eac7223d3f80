import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Problem } from '../../../kit/problem.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { chatFlags, Flags } from '../../framework/flags.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import { printable } from '../../terminal/text.ts'
import { withFiles } from './view.ts'

/** An event of the chat. */
export interface ChatEvent {
  readonly id: string | null
  readonly event: string
  readonly data: unknown
}

export const watchFlags = {
  cursor: Flags.string({ summary: 'File with the position to resume from, updated while running', helpValue: 'FILE' }),
  count: Flags.integer({ summary: 'Number of events after which to exit', min: 1, helpValue: 'N' }),
  jsonl: Flags.boolean({ summary: 'Print one JSON object per line, like --json', exclusive: ['json'] }),
}

/** Base class of commands that follow events: one line per event, each once, also across runs. */
export abstract class ChatWatchCommand extends CountroomCommand {
  static override baseFlags = chatFlags
  static override exits = ['permission', 'temporary', 'stopped'] as const
  static override streams = true
  static override completes: Readonly<Record<string, 'files'>> = { cursor: 'files' }
  static override files = ['--cursor: position for the next run']
  static override data = ({ Type }: Shapes) =>
    Type.Object({ events: Type.Integer(), cursor: Type.Union([Type.String(), Type.Null()]) })

  protected async follow(
    flags: { readonly cursor?: string | undefined; readonly count?: number | undefined },
    isMeant: (event: ChatEvent) => boolean,
    check: () => Promise<void> = async () => {},
  ) {
    const file = flags.cursor === undefined ? undefined : resolve(flags.cursor)
    const after = file === undefined ? undefined : cursorIn(file)
    await check()
    const { listen } = await this.services.chat()
    if (!listen)
      throw new Problem(
        'BAD_CONFIGURATION',
        'This command needs the agent API, but the profile has no agentToken in its chat section',
      )
    const [{ watchChat }, { realSleep }, { writeWhole }] = await Promise.all([
      import('../../../operator/tickets/watch.ts'),
      import('../../../http/client/sleep.ts'),
      import('../../../world/config/atomic-write.ts'),
    ])
    let cursor: string | null = after ?? null
    let events = 0
    const enough = new AbortController()
    let writing: Promise<unknown> = Promise.resolve()
    const stop = AbortSignal.any([this.stop, enough.signal])
    const write = (event: ChatEvent) => {
      writing = writing.then(async () => {
        // The reader of the pipe left.
        if (!(await this.line(event, () => lineOf(event)))) enough.abort()
      })
    }
    if (after === undefined) this.note('Listening…')
    await watchChat({
      listen,
      after,
      stop,
      sleep: realSleep,
      random: Math.random,
      onGap: (text) => this.note(text),
      keep: (id) => {
        cursor = id
        // Saved after printing: a killed run prints an event again instead of losing it.
        if (file !== undefined)
          writing = writing.then(() => {
            // Output that stdout did not accept was read by nobody.
            if (!this.screen.isClosed()) writeWhole(file, `${id}\n`, { file: 0o600, folder: 0o755 })
          })
      },
      take: (event) => {
        if (enough.signal.aborted || !isMeant(event)) return
        events++
        write(event)
        if (flags.count !== undefined && events >= flags.count) enough.abort()
      },
    })
    await writing
    return { events, cursor }
  }
}

/** Maximum size of a cursor file. */
const mostBytes = 200

/** Reads the cursor of a file; undefined if the file is missing or empty. Other files are rejected, because the file is overwritten. */
function cursorIn(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  const known = statSync(file)
  const text = known.isFile() && known.size <= mostBytes ? readFileSync(file, 'utf8') : undefined
  if (text === '') return undefined
  const [, cursor] = /^([\w-]+\.\d{1,15})\s*$/.exec(text ?? '') ?? []
  if (cursor === undefined)
    throw new Problem('INVALID_FILE', `${file} is not a cursor file of a watch command and was not changed`, { file })
  return cursor
}

/** Returns the value at a path of an event's data. */
export function field(data: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    data,
  )
}

export const roomOf = (data: unknown): unknown => field(data, 'roomId') ?? field(data, 'message', 'roomId')

/** Returns the text and the files of a message. */
function saidIn(message: unknown): string {
  const attachments = field(message, 'attachments')
  return withFiles(
    String(field(message, 'text') ?? ''),
    (Array.isArray(attachments) ? attachments : []).map((each) => String(field(each, 'fileName'))),
  )
}

function lineOf({ event, data }: ChatEvent): string {
  const told = {
    'message.created': () =>
      `${field(data, 'message', 'senderType')} ${field(data, 'message', 'senderDisplayName') ?? field(data, 'message', 'senderId') ?? ''}: ${saidIn(field(data, 'message'))}`,
    'room.updated': () => `${field(data, 'room', 'status')}, ${field(data, 'room', 'agentUnreadCount')} unread`,
    'ticket.updated': () => `#${field(data, 'ticketNumber')} is ${field(data, 'status')}`,
  }[event]
  const text = told?.() ?? JSON.stringify(data)
  return printable(`${event.padEnd(16)} ${String(roomOf(data) ?? '')}  ${text}`).replace(/[\n\t]/g, ' ')
}
