import type { BookDayRuleRow } from '../../../db/schema/book.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { type DayRule, documentedRule, isSameRule } from '../../../domain/reconcile/day-rules.ts'
import type { Day } from '../../../domain/time/day.ts'
import type { Book } from '../../book/book.ts'
import type { Reconciled } from './types.ts'

/** The remembered rule by which the platform counts slips into days. */

export function rememberedRule({ q }: Reader): Promise<BookDayRuleRow | undefined> {
  return q.selectFrom('book_day_rule').selectAll().executeTakeFirst()
}

/** Remembers a rule with the day that showed it; the documented one needs none. Returns false if nothing changed. */
export async function rememberRule(
  tx: Tx,
  rule: DayRule,
  about: { readonly date: Day; readonly by: string; readonly timezone: string },
): Promise<boolean> {
  const known = await rememberedRule(tx)
  if (isSameRule(rule, documentedRule(about.timezone))) {
    await tx.q.deleteFrom('book_day_rule').execute()
    return known !== undefined
  }
  if (known && isSameRule({ basis: known.basis, zone: known.timezone }, rule)) return false
  const row = {
    basis: rule.basis,
    timezone: rule.zone,
    date: about.date,
    decided_by: about.by,
    decided_at: tx.now,
  }
  await tx.q
    .insertInto('book_day_rule')
    .values({ id: 'rule', ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
  return true
}

/** A rule that a run shows, and the day that shows it. */
interface ShownRule {
  readonly rule: DayRule
  readonly date: Day
}

/** Returns the rule that a run was given, or else the one that its last day with a matching rule showed. */
export function shownRule(days: readonly Reconciled[], given: DayRule | undefined): ShownRule | null {
  const [first] = days
  if (given !== undefined) return first ? { rule: given, date: first.result.date } : null
  const last = days.findLast(({ result }) => result.boundary?.match)?.result
  const match = last?.boundary?.match
  return last && match ? { rule: { basis: match.basis, zone: match.timezone }, date: last.date } : null
}

/** Returns a rule as --day-rule takes it. */
export function dayRuleWord(rule: DayRule, timezone: string): string {
  return isSameRule(rule, documentedRule(timezone)) ? 'documented' : `${rule.basis}@${rule.zone}`
}

/** Remembers the rule that a run showed. Returns it as --day-rule takes it, or null if nothing changed. */
export function keepDayRule(
  book: Book,
  { rule, date }: ShownRule,
  about: { readonly by: string; readonly timezone: string },
): Promise<string | null> {
  return book.store.write(async (tx) =>
    (await rememberRule(tx, rule, { date, ...about })) ? dayRuleWord(rule, about.timezone) : null,
  )
}
