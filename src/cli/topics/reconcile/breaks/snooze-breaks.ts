import { platformNow } from '../../../../operator/book/cursor-position.ts'
import { snoozeEnd } from '../../../../operator/reconcile/breaks/snooze.ts'
import { tenancyOf } from '../../../../operator/reconcile/explain/explain.ts'
import type { CommandContext } from '../../../context/context.ts'
import { changeBreaks } from './change-breaks.ts'

/** Snoozes breaks until the start of a day in the tenant's zone. */
export async function snoozeBreaks(
  context: CommandContext,
  ids: readonly string[],
  { until: day, note }: { readonly until: string; readonly note: string | null },
) {
  const { book } = await context.services.book()
  const { timezone } = await tenancyOf(book)
  const until = snoozeEnd(day, timezone, await platformNow(book))
  return changeBreaks(context, ids, { what: 'snoozed', until, day, note }, `is snoozed until ${day} in ${timezone}`)
}

/** Ends the snooze of breaks. */
export const endSnooze = (context: CommandContext, ids: readonly string[], note: string | null) =>
  changeBreaks(context, ids, { what: 'snooze-ended', note }, 'is not snoozed')
