import { Problem } from '../../../kit/problem.ts'
import { openTickets } from '../../../operator/tickets/open-tickets.ts'
import { ticketStats } from '../../../operator/tickets/stats.ts'
import { knownStatuses } from '../../../operator/tickets/statuses.ts'
import { durationMs } from '../../arguments/moments.ts'
import type { CommandContext } from '../../context/context.ts'
import { movedText } from './view.ts'

const measures = ['oldest', 'open', 'needs-reply', 'overdue'] as const

/** Counts the tickets and checks the limits of `--fail-if`. */
export async function showStats(
  context: CommandContext,
  flags: { readonly form?: string | undefined; readonly 'fail-if'?: readonly string[] | undefined },
) {
  const limits = (flags['fail-if'] ?? []).map(limitFrom)
  const [ticketsApi, { now }] = await Promise.all([context.services.tickets(), context.services.chat()])
  const at = await now()
  const known = (await knownStatuses(ticketsApi, { formCode: flags.form })) ?? { codes: [], done: [] }
  const { tickets, isWhole, statuses, done } = await openTickets(ticketsApi, { formCode: flags.form }, known)
  if (!isWhole) context.warn(movedText)
  const stats = ticketStats(tickets, at)
  const byStatus = [
    ...statuses.map((status) => ({
      status,
      count: tickets.filter((ticket) => ticket.status === status).length,
      done: false,
    })),
    ...done.map((each) => ({ ...each, done: true })),
  ]
  const values = {
    oldest: stats.oldestMs ?? 0,
    open: stats.open,
    'needs-reply': stats.needsReply,
    overdue: stats.overdue,
  }
  const failed = limits.filter(({ measure, limit }) => values[measure] > limit).map(({ text }) => text)
  context.table(byStatus, ['status', { key: 'count', kind: 'count' }])
  context.log('')
  context.fields(
    { ...stats, oldest: stats.oldestMs === null ? 'none' : `${Math.floor(stats.oldestMs / 3_600_000)} h` },
    ['open', { key: 'needsReply', title: 'needs reply' }, 'overdue', 'unassigned', 'oldest'],
  )
  if (failed.length > 0) context.endWith('DIFFERENCES', `Limit exceeded: ${failed.join(', ')}`, { failed })
  return { ...stats, byStatus, failed }
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
