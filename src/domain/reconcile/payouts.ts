import { oneSpelling } from '../chains/addresses.ts'
import { formatUnits } from '../money.ts'
import { type PayoutStatus, payoutStatuses } from '../payments/payout.ts'

/**
 * Compares the operator's ledger of payouts with the gateway's, one payout at a time. Rules only: reading the sides
 * happens elsewhere.
 */

/** More decimals than any coin has, so that amounts of all currencies share one scale. */
export const payoutScale = 18

/** A payout in the operator's ledger. */
export interface LedgerPayout {
  /** ID of the gateway, or our own reference, or both. */
  readonly payoutId: string | null
  readonly externalId: string | null
  readonly address: string | null
  readonly currency: string
  readonly amount: bigint
  /** Null if the ledger does not say: the payout then counts as made. */
  readonly status: LedgerPayoutStatus | null
  /** Epoch milliseconds; null if the ledger does not say. */
  readonly at: number | null
  /** Line in the file. */
  readonly line: number
}

/** Statuses of a payout in the ledger. */
export const ledgerPayoutStatuses = ['paid', 'pending', 'failed'] as const
export type LedgerPayoutStatus = (typeof ledgerPayoutStatuses)[number]

/** The same payout at the gateway. */
export interface GatewayPayout {
  readonly id: string
  readonly externalId: string | null
  readonly address: string
  readonly currency: string
  readonly amount: bigint
  readonly status: string
  readonly at: number
}

export const payoutResults = ['matched', 'different', 'missing-at-gateway', 'missing-in-ledger', 'undecided'] as const
export type PayoutResult = (typeof payoutResults)[number]

export interface PayoutDifference {
  readonly field: 'amount' | 'currency' | 'address' | 'externalId' | 'status'
  readonly ledger: string
  readonly gateway: string
}

/** Meaning of the gateway's statuses for a ledger. */
const meanings = {
  creating: 'pending',
  waiting: 'pending',
  processing: 'pending',
  sending: 'pending',
  finished: 'paid',
  failed: 'failed',
  rejected: 'failed',
} as const satisfies Record<PayoutStatus, LedgerPayoutStatus>

/** Returns the meaning of a status in any case; undefined for one that another gateway may have. */
export function meaningOf(status: string): LedgerPayoutStatus | undefined {
  const known = payoutStatuses.find((each) => each === status.toLowerCase())
  return known && meanings[known]
}

/** Returns how the gateway's payout differs from the ledger's, apart from a status that is not final. */
export function payoutDifferences(ledger: LedgerPayout, gateway: GatewayPayout): PayoutDifference[] {
  const differences: PayoutDifference[] = []
  const check = (field: PayoutDifference['field'], isSame: boolean, ours: string, theirs: string) => {
    if (!isSame) differences.push({ field, ledger: ours, gateway: theirs })
  }
  const { address, externalId } = ledger
  check('amount', ledger.amount === gateway.amount, amountOf(ledger.amount), amountOf(gateway.amount))
  const [ours, theirs] = [ledger.currency.toLowerCase(), gateway.currency.toLowerCase()]
  check('currency', ours === theirs, ours, theirs)
  check(
    'address',
    address === null || oneSpelling(address) === oneSpelling(gateway.address),
    address ?? '',
    gateway.address,
  )
  const isSameReference = externalId === null || externalId === gateway.externalId
  check('externalId', isSameReference, externalId ?? '', gateway.externalId ?? '')
  const meaning = meaningOf(gateway.status)
  const isSameStatus = (ledger.status ?? 'paid') === meaning || meaning === 'pending' || meaning === undefined
  check('status', isSameStatus, ledger.status ?? 'paid', gateway.status.toLowerCase())
  return differences
}

/** Returns the result of a payout that both sides have. One that is not final is undecided, unless the ledger says so too. */
export function resultOfPair(
  ledger: LedgerPayout,
  gateway: GatewayPayout,
  differences: readonly PayoutDifference[],
): PayoutResult {
  if (differences.length > 0) return 'different'
  const meaning = meaningOf(gateway.status)
  const isFinal = meaning === 'paid' || meaning === 'failed'
  return isFinal || ledger.status === meaning ? 'matched' : 'undecided'
}

/** Returns whether the ledger must have a payout: one that failed moved nothing. */
export function belongsInLedger({ status }: GatewayPayout): boolean {
  return meaningOf(status) !== 'failed'
}

/** Returns the verdict. A difference wins over every doubt; without one, any doubt makes it inconclusive. */
export function payoutsVerdict(
  results: Iterable<PayoutResult>,
  doubts: number,
): 'balanced' | 'differences' | 'cannot-conclude' {
  let isOpen = doubts > 0
  for (const result of results) {
    if (result !== 'matched' && result !== 'undecided') return 'differences'
    if (result === 'undecided') isOpen = true
  }
  return isOpen ? 'cannot-conclude' : 'balanced'
}

/** Formats an amount of a payout. */
export function amountOf(units: bigint): string {
  return formatUnits(units, payoutScale)
}
