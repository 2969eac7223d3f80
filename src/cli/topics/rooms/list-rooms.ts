import { Problem } from '../../../kit/problem.ts'
import { partText } from '../../../kit/text/count-text.ts'
import { listedAgent } from '../../../operator/tickets/agent-name.ts'
import { readRooms } from '../../../operator/tickets/rooms/read-rooms.ts'
import type { TicketAgent } from '../../../operator/tickets/tickets-api.ts'
import { durationMs } from '../../arguments/moments.ts'
import type { CommandContext } from '../../context/context.ts'
import { ratingColumn, roomColumns, shownRoom } from './view.ts'

interface RoomFlags {
  readonly status?: string | undefined
  readonly assignee?: string | undefined
  readonly unread?: boolean
  readonly inbox?: string | undefined
  readonly keyword?: string | undefined
  readonly waiting?: string | undefined
  readonly limit: number
  readonly csv?: boolean
  readonly columns?: string | undefined
}

/** Columns for programs, in addition to those for people. */
const more = [
  'channel',
  'inboxCategoryCode',
  'customerDisplayName',
  'messageCount',
  'createdAt',
  'updatedAt',
  'rating.score',
  'rating.comment',
]

/** Lists the rooms that match the flags. */
export async function listRooms(context: CommandContext, flags: RoomFlags) {
  const waitingMs = flags.waiting === undefined ? undefined : durationMs(flags.waiting)
  if (flags.waiting !== undefined && waitingMs === undefined)
    throw new Problem('INVALID_USAGE', `--waiting must be a duration such as 10m; received ${flags.waiting}`)
  const agent = await context.services.agent()
  const holder =
    flags.assignee === undefined ? undefined : await listedAgent(flags.assignee, await context.services.tickets())
  const { now } = await context.services.chat()
  const waitingSince = waitingMs === undefined ? undefined : new Date((await now()) - waitingMs).toISOString()
  const { rooms, total } = await readRooms(
    (page) =>
      agent.rooms({
        query: {
          ...page,
          ...(flags.status === undefined ? {} : { status: flags.status === 'open' ? 'open' : 'closed' }),
          ...(flags.assignee === undefined ? {} : { assignee: idOf(holder) ?? flags.assignee }),
          ...(flags.unread ? { unread: true } : {}),
          ...(flags.inbox === undefined ? {} : { inboxCategoryCode: flags.inbox }),
          ...(waitingSince === undefined ? {} : { waitingSince }),
          ...(flags.keyword === undefined ? {} : { keyword: flags.keyword }),
        },
      }),
    flags.limit,
    (fresh) => context.rows(fresh),
  )
  if (holder instanceof Problem && total === 0) throw holder
  const isForPrograms = flags.csv || flags.columns !== undefined
  // The next command needs the room at the end of the line.
  const shown = rooms.some(({ rating }) => rating)
    ? [...roomColumns.slice(0, -2), ratingColumn, ...roomColumns.slice(-2)]
    : roomColumns
  if (isForPrograms) context.table(rooms, [...roomColumns, ...more], 'No rooms.')
  else context.table(rooms.map(shownRoom), shown, 'No rooms.')
  if (rooms.length > 0) context.footnote(`Showing ${partText(rooms.length, total, 'room')}`)
  return { rooms, total }
}

/** The API has its own word for "no assignee". */
const idOf = (holder: TicketAgent | Problem | null | undefined): string | undefined =>
  holder === undefined || holder instanceof Problem ? undefined : (holder?.agentId ?? 'none')
