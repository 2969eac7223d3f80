import type { LedgerTransfer } from '../../../domain/reconcile/transfers.ts'

/** A time range in epoch milliseconds, including its ends. */
export interface ClosedRange {
  readonly from: number
  readonly to: number
}

/**
 * Returns the time range that a ledger covers: as stated, else from its first to its last time. A ledger without times ends
 * now if its start is stated. Null if the range is unknown.
 */
export function ledgerSpan(
  ledger: readonly Pick<LedgerTransfer, 'at'>[],
  { since, until }: { readonly since: number | undefined; readonly until: number | undefined },
  now: number,
): ClosedRange | null {
  // Not Math.min(...times): a ledger can have more rows than a call may have arguments.
  const times = ledger.flatMap(({ at }) => at ?? [])
  const first = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const last = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const from = since ?? first
  const to = until ?? (since !== undefined && times.length === 0 ? now : last)
  return Number.isFinite(from) && Number.isFinite(to) ? { from, to } : null
}
