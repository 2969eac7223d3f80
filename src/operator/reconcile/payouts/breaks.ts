import type { DetectedBreak } from '../../../domain/reconcile/breaks.ts'
import type { Findings } from '../breaks/store.ts'
import type { ComparedPayout } from './reconcile.ts'

/** Returns the breaks of a run, and which open breaks it would have found again. A payout without a decision clears no break. */
export function payoutFindings(payouts: readonly ComparedPayout[]): Findings {
  const decided = new Set(payouts.flatMap((each) => (each.result === 'undecided' ? [] : [subjectOf(each)])))
  return {
    detected: payouts.flatMap(breakOf),
    looked: [{ kind: 'payouts', covers: ({ subject }) => decided.has(subject) }],
  }
}

/** A payout is named by its ID, so that a break keeps its identity whichever side has the payout. */
const subjectOf = ({ payoutId, externalId }: ComparedPayout) => payoutId ?? `external ${externalId}`

function breakOf(payout: ComparedPayout): DetectedBreak[] {
  const { result, differences, currency, amount, address, at, gateway, message } = payout
  if (result === 'matched' || result === 'undecided') return []
  return [
    {
      kind: 'payouts',
      subject: subjectOf(payout),
      date: at === null ? null : at.slice(0, 10),
      player: null,
      currency,
      amount,
      message,
      fingerprint: JSON.stringify([result, differences, currency, amount, address, gateway?.status ?? null]),
      detail: payout,
    },
  ]
}
