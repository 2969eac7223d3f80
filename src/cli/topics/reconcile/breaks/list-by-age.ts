import { byAge } from '../../../../domain/reconcile/break-ages.ts'
import { countText } from '../../../../kit/text/count-text.ts'
import type { Book } from '../../../../operator/book/book.ts'
import { type BreakQuery, listBreaks } from '../../../../operator/reconcile/breaks/store.ts'
import { tenancyOf } from '../../../../operator/reconcile/explain/explain.ts'
import type { CommandContext } from '../../../context/context.ts'
import type { Column } from '../../../terminal/table.ts'

const columns: readonly Column[] = [
  { key: 'bucket', title: 'age', whole: true },
  { key: 'breaks', kind: 'count' },
  { key: 'snoozed', kind: 'count' },
  { key: 'currency', title: 'cur' },
  { key: 'gross', title: 'amount', kind: 'amount' },
  { key: 'net', kind: 'amount' },
]

/** Prints the open breaks by age in the tenant's days, with the amounts of each currency. Snoozed breaks are included. */
export async function listByAge(context: CommandContext, book: Book | undefined, query: BreakQuery, now: number) {
  const { rows, count } = book
    ? await listBreaks(book, { ...query, snoozed: undefined, limit: Number.MAX_SAFE_INTEGER })
    : { rows: [], count: 0 }
  const zone = book && count > 0 ? (await tenancyOf(book)).timezone : 'UTC'
  const aged = byAge(
    rows.map(({ opened_at, currency, amount, snoozed_until }) => ({
      openedAt: opened_at,
      currency,
      amount,
      isSnoozed: snoozed_until !== null && snoozed_until > now,
    })),
    { now, zone },
  )
  context.table(
    aged
      .filter(({ breaks }) => breaks > 0)
      .flatMap(({ bucket, breaks, snoozed, amounts }) => {
        const sums = amounts.map(({ currency, gross, net }) => ({ currency, gross, net }))
        return (sums.length === 0 ? [{}] : sums).map((sum, at) =>
          at === 0 ? { bucket, breaks, snoozed, ...sum } : { bucket: '', breaks: '', snoozed: '', ...sum },
        )
      }),
    columns,
    'No open breaks.',
  )
  const unknown = aged.reduce((sum, { withoutAmount }) => sum + withoutAmount, 0)
  if (unknown > 0)
    context.footnote(
      `${countText(unknown, 'break has', 'breaks have')} no amount and ${unknown === 1 ? 'is' : 'are'} in no sum.`,
    )
  if (count > 0) context.footnote(`Ages are days in ${zone} since the break was opened.`)
  return {
    breaks: [],
    count,
    oldestMs: null,
    snoozed: aged.reduce((sum, { snoozed }) => sum + snoozed, 0),
    aged,
    timezone: zone,
  }
}
