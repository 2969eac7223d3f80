import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { realSleep } from '../../../http/client/sleep.ts'
import { Problem } from '../../../kit/problem.ts'
import { noAgent } from '../../../operator/tickets/no-agent.ts'
import { type ChatEvent, field, roomOf, ticketChanges } from '../../../operator/tickets/rooms/events.ts'
import { checkCodes } from '../../../operator/tickets/statuses.ts'
import { watchChat } from '../../../operator/tickets/watch.ts'
import { writeWhole } from '../../../world/config/atomic-write.ts'
import type { CommandContext } from '../../context/context.ts'
import { printable } from '../../terminal/text.ts'
import { withFiles } from './view.ts'

/** Follows events: one line per event, each once, also across runs. */

interface WatchFlags {
  readonly cursor?: string | undefined
  readonly count?: number | undefined
}

/** Follows the events of all rooms and tickets, or of one room. */
export function followRooms(context: CommandContext, flags: WatchFlags & { readonly room?: string | undefined }) {
  const file = cursorFile(flags.cursor)
  return follow(context, file, flags.count, ({ data }) => flags.room === undefined || roomOf(data) === flags.room)
}

/** Follows the changes of tickets. */
export async function followTickets(
  context: CommandContext,
  flags: WatchFlags & { readonly ticket?: string | undefined; readonly status?: string | undefined },
) {
  const file = cursorFile(flags.cursor)
  if (flags.status !== undefined) await checkCodes(await context.services.tickets(), { status: flags.status })
  return follow(context, file, flags.count, ticketChanges(flags))
}

/** A cursor file, and the position that it has. */
interface CursorFile {
  readonly path: string | undefined
  readonly after: string | undefined
}

function cursorFile(cursor: string | undefined): CursorFile {
  const path = cursor === undefined ? undefined : resolve(cursor)
  return { path, after: path === undefined ? undefined : cursorIn(path) }
}

async function follow(
  context: CommandContext,
  { path, after }: CursorFile,
  count: number | undefined,
  matchesFilter: (event: ChatEvent) => boolean,
) {
  const { listen, access } = await context.services.chat()
  if (!listen) throw noAgent(access)
  let cursor: string | null = after ?? null
  let events = 0
  const enough = new AbortController()
  let writing: Promise<unknown> = Promise.resolve()
  const write = (event: ChatEvent) => {
    writing = writing.then(async () => {
      // The reader of the pipe left.
      if (!(await context.line(event, () => lineOf(event)))) enough.abort()
    })
  }
  let isAnnounced = after !== undefined
  await watchChat({
    listen,
    after,
    // Events before the stream is open are not received, so the note must not invite anyone to cause one earlier.
    onLive: (isLive) => {
      if (!isLive || isAnnounced) return
      isAnnounced = true
      context.note('Listening…')
    },
    stop: AbortSignal.any([context.stop, enough.signal]),
    sleep: realSleep,
    random: Math.random,
    onGap: (text) => context.note(text),
    keep: (id) => {
      cursor = id
      // Saved after printing: a killed run prints an event again instead of losing it.
      if (path !== undefined)
        writing = writing.then(() => {
          // No reader got the output that stdout did not accept.
          if (!context.screen.isClosed()) writeWhole(path, `${id}\n`, { file: 0o600, folder: 0o755 })
        })
    },
    take: (event) => {
      if (enough.signal.aborted || !matchesFilter(event)) return
      events++
      write(event)
      if (count !== undefined && events >= count) enough.abort()
    },
  })
  await writing
  return { events, cursor }
}

/** Maximum size of a cursor file. */
const maxBytes = 200

/** Reads the cursor of a file; undefined if the file is missing or empty. Other files are rejected, because the file is overwritten. */
function cursorIn(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  const known = statSync(file)
  const text = known.isFile() && known.size <= maxBytes ? readFileSync(file, 'utf8') : undefined
  if (text === '') return undefined
  const [, cursor] = /^([\w-]+\.\d{1,15})\s*$/.exec(text ?? '') ?? []
  if (cursor === undefined)
    throw new Problem(
      'INVALID_FILE',
      `${file} is not a cursor file of a watch command, and was not changed. Name another file with --cursor`,
      { file },
    )
  return cursor
}

/** Returns the text and the files of a message. */
function messageText(message: unknown): string {
  const attachments = field(message, 'attachments')
  return withFiles(
    String(field(message, 'text') ?? ''),
    (Array.isArray(attachments) ? attachments : []).map((each) => String(field(each, 'fileName'))),
  )
}

function lineOf({ event, data }: ChatEvent): string {
  const texts = {
    'message.created': () =>
      `${field(data, 'message', 'senderType')} ${field(data, 'message', 'senderDisplayName') ?? field(data, 'message', 'senderId') ?? ''}: ${messageText(field(data, 'message'))}`,
    'room.updated': () => `${field(data, 'room', 'status')}, ${field(data, 'room', 'agentUnreadCount')} unread`,
    'ticket.updated': () => `#${field(data, 'ticketNumber')} is ${field(data, 'status')}`,
  }[event]
  const text = texts?.() ?? JSON.stringify(data)
  return printable(`${event.padEnd(16)} ${String(roomOf(data) ?? '')}  ${text}`).replace(/[\n\t]/g, ' ')
}
