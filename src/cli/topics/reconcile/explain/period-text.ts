import { minuteText } from '../../../../kit/moment.ts'
import { countText } from '../../../../kit/text/count-text.ts'
import type { PeriodExplained } from '../../../../operator/reconcile/explain/schema.ts'

/** Describes why the figures of a player in a closed period changed. */
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
      ? `Period ${period} was reopened after this break; its next close includes the changed slips`
      : `No slip of ${player} differs from the last close of ${period}: it was closed again, or a repair restored it`
  const close = closedBy === null || closedAt === null ? '' : ` by ${closedBy} at ${minuteText(closedAt)}`
  const changed = countText(slips.length + slipsLeftOut, 'slip')
  return `${changed} of ${player} changed after ${period} was closed${close}: late corrections of the platform`
}
