import { formatUsd, isUsdAmount, parseUsd } from '../../../domain/money.ts'
import type { DetectedBreak } from '../../../domain/reconcile/breaks.ts'
import type { Findings } from '../breaks/store.ts'
import type { BilledMonth, BillResult } from './schema.ts'

type Bill = Pick<BillResult, 'verdict' | 'findings'> & {
  readonly months: readonly Pick<BilledMonth, 'period'>[]
}

/** Returns the breaks of a run, and which open breaks it would have found again. */
export function billFindings(result: Bill): Findings {
  return { detected: breaksOf(result), looked: [{ kind: 'billing', covers: coveredBy(result) }] }
}

/** Returns one break for each finding of a month or a day. */
function breaksOf({ findings }: Bill): DetectedBreak[] {
  return findings.map(({ code, period, day, stated, computed, message }) => ({
    kind: 'billing',
    subject: `${day ?? period} ${code}`,
    date: day ?? period,
    player: null,
    currency: 'USD',
    amount: stated !== null && computed !== null ? differenceText(stated, computed) : null,
    message,
    fingerprint: JSON.stringify([stated, computed]),
    detail: { code, period, day, stated, computed },
  }))
}

function differenceText(reported: string, computed: string): string | null {
  return isUsdAmount(reported) && isUsdAmount(computed) ? formatUsd(parseUsd(reported) - parseUsd(computed)) : null
}

/** Months that this run checked with a conclusive result. */
function coveredBy({ verdict, months }: Bill): (row: { date: string | null }) => boolean {
  const periods = new Set(verdict === 'cannot-conclude' ? [] : months.map(({ period }) => period))
  return ({ date }) => date !== null && periods.has(date.slice(0, 7))
}
