import { isDay } from '../../../../domain/time/calendar.ts'
import { dayAfter, dayOf, dayStart } from '../../../../domain/time/day.ts'
import { Problem } from '../../../../kit/problem.ts'
import { tenancyOf } from '../../../../operator/reconcile/explain/explain.ts'
import type { CommandContext } from '../../../context/context.ts'
import { changeBreaks } from './change-breaks.ts'

/** Maximum number of days of a snooze: a difference must not be hidden forever. */
const longestDays = 92

/** Snoozes breaks until the start of a day in the tenant's zone. */
export async function snoozeBreaks(
  context: CommandContext,
  ids: readonly string[],
  { until: day, note }: { readonly until: string; readonly note: string | null },
) {
  if (!isDay(day))
    throw new Problem('INVALID_USAGE', `--until must be a day (YYYY-MM-DD); received "${day.slice(0, 40)}"`)
  const { book } = await context.services.book()
  const { timezone } = await tenancyOf(book)
  const today = dayOf(Date.now(), timezone)
  const last = dayAfter(today, longestDays)
  if (day <= today || day > last)
    throw new Problem('INVALID_USAGE', `--until must be after today and at most ${last}; received ${day}`)
  return changeBreaks(
    context,
    ids,
    { what: 'snoozed', until: dayStart(day, timezone), day, note },
    `is snoozed until ${day} in ${timezone}`,
  )
}

/** Ends the snooze of breaks. */
export const endSnooze = (context: CommandContext, ids: readonly string[], note: string | null) =>
  changeBreaks(context, ids, { what: 'snooze-ended', note }, 'is not snoozed')
