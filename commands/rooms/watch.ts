import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ChatCommand } from '../../src/cli/chat-command.ts'
import { Flags } from '../../src/cli/flags.ts'
import { printable } from '../../src/cli/text.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class RoomsWatch extends ChatCommand {
  static override summary = 'Follow what happens in the rooms and tickets of the desk, as it happens'
  static override description =
    'A line for each event; with --json one JSON object a line, and the usual object as the last. Lost lines and restarts of the server are gone on from without a gap or a repetition. With --cursor FILE the next run begins where this one ended, so a script hears everything once. Ends on a signal, or after --count events.'
  static override examples = [
    'countroom rooms watch --count 1',
    { command: 'countroom rooms watch --json --cursor desk.cursor', description: 'For a program that wants all of it' },
  ]
  static override exits = ['permission', 'temporary', 'stopped'] as const
  static override streams = true
  static override completes = { cursor: 'files' }
  static override files = ['the file of --cursor: where the next run goes on']
  static override flags = {
    room: Flags.string({ summary: 'Only what happens in this room', helpValue: 'ROOM' }),
    cursor: Flags.string({ summary: 'The file to go on from and to keep up to date', helpValue: 'FILE' }),
    count: Flags.integer({ summary: 'End after so many events', min: 1, helpValue: 'N' }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ events: Type.Integer(), cursor: Type.Union([Type.String(), Type.Null()]) })
  }

  override async run() {
    const { flags } = await this.parse(RoomsWatch)
    const { listen } = await this.chat()
    if (!listen)
      throw new Problem(
        'BAD_CONFIGURATION',
        'This needs the agents’ side of the chat: the profile has no agentToken in its chat section',
      )
    const [{ watchDesk }, { realSleep }, { writeWhole }] = await Promise.all([
      import('../../src/jobs/desk-watch.ts'),
      import('../../src/wire/sleep.ts'),
      import('../../src/world/whole-file.ts'),
    ])
    const file = flags.cursor === undefined ? undefined : resolve(flags.cursor)
    const after = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').trim() || undefined : undefined
    let cursor: string | null = after ?? null
    let events = 0
    const enough = new AbortController()
    let writing: Promise<unknown> = Promise.resolve()
    const stop = AbortSignal.any([this.stop, enough.signal])
    const write = (event: { id: string | null; event: string; data: unknown }) => {
      writing = writing.then(async () => {
        // A closed pipe wants no more.
        if (!(await this.line(event, () => lineOf(event)))) enough.abort()
      })
    }
    if (after === undefined) this.note('Listening…')
    await watchDesk({
      listen,
      after,
      stop,
      sleep: realSleep,
      random: Math.random,
      onGap: (text) => this.note(text),
      keep: (id) => {
        cursor = id
        // Once what it stands for has been printed: a run that is killed in between prints it again rather than never.
        if (file !== undefined)
          writing = writing.then(() => writeWhole(file, `${id}\n`, { file: 0o600, folder: 0o755 }))
      },
      take: (event) => {
        if (enough.signal.aborted || (flags.room !== undefined && roomOf(event.data) !== flags.room)) return
        events++
        write(event)
        if (flags.count !== undefined && events >= flags.count) enough.abort()
      },
    })
    await writing
    return { events, cursor }
  }
}

function field(data: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    data,
  )
}

const roomOf = (data: unknown): unknown => field(data, 'roomId') ?? field(data, 'message', 'roomId')

function lineOf({ event, data }: { event: string; data: unknown }): string {
  const told = {
    'message.created': () =>
      `${field(data, 'message', 'senderType')} ${field(data, 'message', 'senderDisplayName') ?? field(data, 'message', 'senderId') ?? ''}: ${field(data, 'message', 'text')}`,
    'room.updated': () => `${field(data, 'room', 'status')}, ${field(data, 'room', 'agentUnreadCount')} unread`,
    'ticket.updated': () => `#${field(data, 'ticketNumber')} is ${field(data, 'status')}`,
  }[event]
  const text = told?.() ?? JSON.stringify(data)
  return printable(`${event.padEnd(16)} ${String(roomOf(data) ?? '')}  ${text}`).replace(/[\n\t]/g, ' ')
}
