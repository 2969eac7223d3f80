import { durationMs } from '../../src/cli/arguments/moments.ts'
import { Flags, listFlags } from '../../src/cli/framework/flags.ts'
import { listedAgent } from '../../src/cli/topics/chat/agent-name.ts'
import { ChatCommand } from '../../src/cli/topics/chat/command.ts'
import { roomColumns, roomSchema } from '../../src/cli/topics/rooms/view.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { DeskAgent } from '../../src/operator/tickets/tickets-api.ts'

export default class RoomsList extends ChatCommand {
  static override summary = 'List chat rooms, those that wait longest for an answer first'
  static override examples = [
    'countroom rooms list',
    { command: 'countroom rooms list --waiting 10m', description: 'Who has waited for ten minutes or longer' },
    { command: 'countroom rooms list --unread --assignee none', description: 'What nobody has taken yet' },
  ]
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override flags = {
    status: Flags.string({ summary: 'Only those in this state', options: ['open', 'closed'] }),
    assignee: Flags.string({ summary: 'Only those of an agent: a name or id, me or none', helpValue: 'AGENT' }),
    unread: Flags.boolean({ summary: 'Only those with messages nobody has read' }),
    inbox: Flags.string({ summary: 'Only those of this inbox category', helpValue: 'CODE' }),
    keyword: Flags.string({ summary: 'Only customers of such a name or account', helpValue: 'WORDS' }),
    waiting: Flags.string({ summary: 'Only customers without an answer for so long', helpValue: 'DURATION' }),
    limit: Flags.integer({ summary: 'At most so many', default: 20, min: 1, max: 10_000, helpValue: 'N' }),
    ...listFlags,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ rooms: Type.Array(await roomSchema()), total: Type.Integer() })
  }

  override async run() {
    const { flags } = await this.parse(RoomsList)
    const waitingMs = flags.waiting === undefined ? undefined : durationMs(flags.waiting)
    if (flags.waiting !== undefined && waitingMs === undefined)
      throw new Problem('INVALID_USAGE', `--waiting wants a duration such as 10m, not ${flags.waiting}`)
    const agent = await this.agentSide()
    const holder = flags.assignee === undefined ? undefined : await listedAgent(flags.assignee, await this.desk())
    const { now } = await this.chat()
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
      // A room that moved while pages were read may come twice; it is told once.
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
    if (rooms.length > 0) this.footnote(`${rooms.length} of ${total}`)
    return { rooms, total }
  }
}

/** Nobody is asked for by a word of its own. */
const idOf = (holder: DeskAgent | Problem | null | undefined): string | undefined =>
  holder === undefined || holder instanceof Problem ? undefined : (holder?.agentId ?? 'none')
