import { durationMs } from '../../src/cli/arguments/moments.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { movedText } from '../../src/cli/topics/tickets/view.ts'
import { Problem } from '../../src/kit/problem.ts'

const measures = ['oldest', 'open', 'needs-reply', 'overdue'] as const

export default class TicketsStats extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Count tickets by status and show the age of the oldest'
  static override description =
    'With --fail-if the command exits with 9 if a limit is exceeded, for cron jobs: oldest>48h, open>200, needs-reply>20, overdue>0. A ticket is overdue by its priority: urgent after 2 h, high 8 h, normal 24 h, low 72 h.'
  static override examples = [
    'countroom tickets stats',
    { command: 'countroom tickets stats --fail-if "oldest>48h" --quiet', description: 'Check limits from a cron job' },
  ]
  static override exits = ['permission', 'temporary', 'differences'] as const
  static override flags = {
    form: Flags.string({ summary: 'Tickets of this form only', helpValue: 'CODE' }),
    'fail-if': Flags.string({
      summary: 'Limit to check (repeatable)',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'MEASURE>LIMIT',
    }),
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      open: Type.Integer(),
      needsReply: Type.Integer(),
      overdue: Type.Integer(),
      unassigned: Type.Integer(),
      oldestMs: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Age of the oldest open ticket, in milliseconds.',
      }),
      oldestTicketId: Type.Union([Type.String(), Type.Null()]),
      byStatus: Type.Array(
        Type.Object({ status: Type.String(), count: Type.Union([Type.Integer(), Type.Null()]), done: Type.Boolean() }),
      ),
      failed: Type.Array(Type.String()),
    })

  override async run() {
    const { flags } = await this.parse(TicketsStats)
    const limits = (flags['fail-if'] ?? []).map(limitFrom)
    const [ticketsApi, { now }, { openTickets }, { urgencyOf, needsReply }, { knownStatuses }] = await Promise.all([
      this.services.tickets(),
      this.services.chat(),
      import('../../src/operator/tickets/open-tickets.ts'),
      import('../../src/domain/tickets/priority.ts'),
      import('../../src/cli/topics/tickets/filter.ts'),
    ])
    const at = await now()
    const known = (await knownStatuses(ticketsApi, { formCode: flags.form })) ?? { codes: [], done: [] }
    const { tickets, isWhole, statuses, done } = await openTickets(ticketsApi, { formCode: flags.form }, known)
    if (!isWhole) this.warn(movedText)
    const [oldest] = tickets
      .filter(({ createdAt }) => !Number.isNaN(createdAt))
      .sort((a, b) => a.createdAt - b.createdAt)
    const found = {
      open: tickets.length,
      needsReply: tickets.filter(needsReply).length,
      overdue: tickets.filter((ticket) => urgencyOf(ticket, at).reasons.some(({ kind }) => kind === 'overdue')).length,
      unassigned: tickets.filter(({ assigneeId }) => assigneeId === null).length,
      oldestMs: oldest === undefined ? null : Math.max(0, Math.round(at - oldest.createdAt)),
      oldestTicketId: oldest?.ticketId ?? null,
    }
    const byStatus = [
      ...statuses.map((status) => ({
        status,
        count: tickets.filter((ticket) => ticket.status === status).length,
        done: false,
      })),
      ...done.map((each) => ({ ...each, done: true })),
    ]
    const values = {
      oldest: found.oldestMs ?? 0,
      open: found.open,
      'needs-reply': found.needsReply,
      overdue: found.overdue,
    }
    const failed = limits.filter(({ measure, limit }) => values[measure] > limit).map(({ text }) => text)
    this.table(byStatus, ['status', { key: 'count', kind: 'count' }])
    this.log('')
    this.fields(
      { ...found, oldest: found.oldestMs === null ? 'none' : `${Math.floor(found.oldestMs / 3_600_000)} h` },
      ['open', { key: 'needsReply', title: 'needs reply' }, 'overdue', 'unassigned', 'oldest'],
    )
    if (failed.length > 0) this.endWith('DIFFERENCES', `Limit exceeded: ${failed.join(', ')}`, { failed })
    return { ...found, byStatus, failed }
  }
}

function limitFrom(text: string) {
  const [, name, value = ''] = /^\s*([a-z-]+)\s*>\s*(\S+)\s*$/.exec(text) ?? []
  const measure = measures.find((known) => known === name)
  const limit = measure === 'oldest' ? durationMs(value) : /^\d{1,9}$/.test(value) ? Number(value) : undefined
  if (measure !== undefined && limit !== undefined) return { measure, limit, text }
  throw new Problem(
    'INVALID_USAGE',
    `--fail-if must be ${measures.join(', ')}, then > and a limit (a duration for oldest); received ${text}`,
  )
}
