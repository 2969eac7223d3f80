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

/**
 * Remembers the rule that a run was given, or else the one that its last day with an answer showed. Returns it as --day-rule
 * takes it, or null if nothing changed.
 */
export function keepDayRule(
  book: Book,
  days: readonly Reconciled[],
  { rule, by, timezone }: { readonly rule: DayRule | undefined; readonly by: string; readonly timezone: string },
): Promise<string | null> {
  return book.store.write(async (tx) => {
    let dayRule: string | null = null
    const remember = async (one: DayRule, date: Day) => {
      if (!(await rememberRule(tx, one, { date, by, timezone }))) return
      dayRule = isSameRule(one, documentedRule(timezone)) ? 'documented' : `${one.basis}@${one.zone}`
    }
    const [first] = days
    if (rule !== undefined && first) await remember(rule, first.result.date)
    else
      for (const { result } of days)
        if (result.boundary?.match)
          await remember({ basis: result.boundary.match.basis, zone: result.boundary.match.timezone }, result.date)
    return dayRule
  })
}
