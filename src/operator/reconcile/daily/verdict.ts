import { type Verdict, worstVerdict } from '../../../domain/reconcile/daily.ts'
import type { Day } from '../../../domain/time/day.ts'
import type { DayResult } from './schema.ts'

/** Exit category of each verdict. */
export const verdictCategories = {
  balanced: 'ok',
  differences: 'differences',
  'cannot-conclude': 'inconclusive',
} as const satisfies Record<Verdict, string>

/** Verdict of several days: that of the worst day. */
export interface DaysVerdict {
  readonly verdict: Verdict
  /** Days with this verdict. */
  readonly dates: readonly Day[]
  /** True if an outdated book explains every difference. */
  readonly isStale: boolean
}

export function verdictOfDays(days: readonly Pick<DayResult, 'date' | 'verdict' | 'stale'>[]): DaysVerdict {
  const verdict = worstVerdict(days.map((day) => day.verdict))
  return {
    verdict,
    dates: days.filter((day) => day.verdict === verdict).map(({ date }) => date),
    isStale: verdict === 'differences' && days.every((day) => day.verdict !== 'differences' || day.stale),
  }
}
