import { minuteText } from '../../../../kit/moment.ts'
import { countText } from '../../../../kit/text/count-text.ts'
import type { PeriodExplained } from '../../../../operator/reconcile/explain/schema.ts'

/** Returns why a closed period changed for a player: how many slips since whose close. */
export function periodText({
  period,
  state,
  closedBy,
  closedAt,
  player,
  slips,
  slipsLeftOut,
}: PeriodExplained): string {
  if (slips.length === 0)
    return state === 'open'
      ? `Period ${period} was reopened since; the slips that changed are in its figures when it is closed again`
      : `No slip of ${player} differs from the last close of ${period}: it was closed again, or a repair restored it`
  const close = closedBy === null || closedAt === null ? '' : ` by ${closedBy} at ${minuteText(closedAt)}`
  const changed = countText(slips.length + slipsLeftOut, 'slip')
  return `${changed} of ${player} changed after ${period} was closed${close}: late corrections of the platform`
}
