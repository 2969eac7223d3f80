import { durationMs } from '../../src/cli/arguments/moments.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, Flags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { listedAgent } from '../../src/cli/topics/chat/agent-name.ts'
import { roomColumns, roomSchema } from '../../src/cli/topics/rooms/view.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { TicketAgent } from '../../src/operator/tickets/tickets-api.ts'

export default class RoomsList extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'List chat rooms, longest waiting first'
  static override examples = [
    'countroom rooms list',
    { command: 'countroom rooms list --waiting 10m', description: 'Customers waiting for 10 minutes or longer' },
    { command: 'countroom rooms list --unread --assignee none', description: 'Unread rooms without an agent' },
  ]
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override flags = {
    status: Flags.string({ summary: 'Rooms in this state only', options: ['open', 'closed'] }),
    assignee: Flags.string({ summary: 'Rooms of this agent only: name or ID, "me" or "none"', helpValue: 'AGENT' }),
    unread: Flags.boolean({ summary: 'Rooms with unread messages only' }),
    inbox: Flags.string({ summary: 'Rooms of this inbox category only', helpValue: 'CODE' }),
    keyword: Flags.string({ summary: 'Search term for the name or account of the customer', helpValue: 'TEXT' }),
    waiting: Flags.string({ summary: 'Customers waiting for at least this long', helpValue: 'DURATION' }),
    limit: Flags.integer({ summary: 'Maximum number of results', default: 20, min: 1, max: 10_000, helpValue: 'N' }),
    ...listFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ rooms: Type.Array(roomSchema(shapes)), total: Type.Integer() })
  }

  override async run() {
    const { flags } = await this.parse(RoomsList)
    const waitingMs = flags.waiting === undefined ? undefined : durationMs(flags.waiting)
    if (flags.waiting !== undefined && waitingMs === undefined)
      throw new Problem('INVALID_USAGE', `--waiting must be a duration such as 10m; received ${flags.waiting}`)
    const agent = await this.services.agent()
    const holder =
      flags.assignee === undefined ? undefined : await listedAgent(flags.assignee, await this.services.tickets())
    const { now } = await this.services.chat()
    const waitingSince = waitingMs === undefined ? undefined : new Date((await now()) - waitingMs).toISOString()
    const rooms: Awaited<ReturnType<typeof agent.rooms>>['items'] = []
    let total = 0
    for (let page = 1; rooms.length < flags.limit; page++) {
      const read = await agent.rooms({
        query: {
          page,
          pageSize: Math.min(100, flags.limit),
          ...(flags.status === undefined ? {} : { status: flags.status === 'open' ? 'open' : 'closed' }),
          ...(flags.assignee === undefined ? {} : { assignee: idOf(holder) ?? flags.assignee }),
          ...(flags.unread ? { unread: true } : {}),
          ...(flags.inbox === undefined ? {} : { inboxCategoryCode: flags.inbox }),
          ...(waitingSince === undefined ? {} : { waitingSince }),
          ...(flags.keyword === undefined ? {} : { keyword: flags.keyword }),
        },
      })
      // A room that moved between pages can appear twice; it is listed once.
      const known = new Set(rooms.map(({ roomId }) => roomId))
      const fresh = read.items.filter(({ roomId }) => !known.has(roomId)).slice(0, flags.limit - rooms.length)
      rooms.push(...fresh)
      total = read.total
      if (!(await this.rows(fresh)) || !read.hasMore) break
    }
    if (holder instanceof Problem && total === 0) throw holder
    const isForPrograms = flags.csv || flags.columns !== undefined
    const more = ['channel', 'inboxCategoryCode', 'customerDisplayName', 'messageCount', 'createdAt', 'updatedAt']
    this.table(rooms, isForPrograms ? [...roomColumns, ...more] : roomColumns, 'No rooms.')
    if (rooms.length > 0) this.footnote(`Showing ${rooms.length} of ${total} ${total === 1 ? 'room' : 'rooms'}`)
    return { rooms, total }
  }
}

/** The API has its own word for "no assignee". */
const idOf = (holder: TicketAgent | Problem | null | undefined): string | undefined =>
  holder === undefined || holder instanceof Problem ? undefined : (holder?.agentId ?? 'none')
