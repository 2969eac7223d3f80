import { parseUnits } from '../../../domain/money.ts'
import { decimalTextOf } from '../../../domain/payments/amounts.ts'
import {
  amountOf,
  belongsInLedger,
  type GatewayPayout,
  type LedgerPayout,
  type PayoutDifference,
  type PayoutResult,
  payoutDifferences,
  payoutScale,
  payoutsVerdict,
  resultOfPair,
} from '../../../domain/reconcile/payouts.ts'
import { momentText } from '../../../kit/moment.ts'
import { isProblem } from '../../../kit/problem.ts'
import type { Payout } from '../../../services/gateway/api/schemas.ts'
import { listedPayouts, type PayoutSource, payoutsOfId } from '../../callbacks/list-payouts.ts'
import type { ClosedRange } from '../transfers/ledger-span.ts'

/** Reconciles the operator's ledger of payouts with the gateway. Read-only on both sides. */

export interface PayoutsOptions {
  readonly ledger: readonly LedgerPayout[]
  /** Time range of the ledger; null compares all payouts of the gateway. */
  readonly span: ClosedRange | null
  /** Time during which a missing payout may still be on its way. */
  readonly freshMs: number
  /** Current time of the gateway. */
  readonly now: number
  readonly onRead: (count: number) => void
}

export interface ComparedPayout {
  readonly payoutId: string | null
  readonly externalId: string | null
  readonly result: PayoutResult
  readonly line: number | null
  readonly currency: string
  readonly amount: string
  readonly address: string | null
  readonly status: string | null
  readonly at: string | null
  /** Record of the gateway; null if it has none. */
  readonly gateway: {
    readonly currency: string
    readonly amount: string
    readonly address: string
    readonly status: string
    readonly at: string
  } | null
  readonly differences: readonly PayoutDifference[]
  /** Empty if they match. */
  readonly message: string
}

export interface PayoutsReconciled {
  readonly verdict: ReturnType<typeof payoutsVerdict>
  /** In the order of the file, followed by payouts that the ledger lacks. */
  readonly payouts: readonly ComparedPayout[]
  /** Number of payouts that the gateway listed. */
  readonly listed: number
  /** Reasons why a result without differences does not prove that the sides agree. */
  readonly doubts: readonly string[]
}

/** Compares every payout of the ledger with the gateway's, and finds those that the ledger lacks. */
export async function reconcilePayouts(source: PayoutSource, options: PayoutsOptions): Promise<PayoutsReconciled> {
  const { ledger, span } = options
  const listed = new Map<string, GatewayPayout>()
  const range = span === null ? {} : { from: momentText(span.from), to: momentText(span.to) }
  for await (const payouts of listedPayouts(source, range)) {
    for (const payout of payouts) listed.set(payout.id, toGatewayPayout(payout))
    options.onRead(listed.size)
  }
  const match = new PayoutMatcher(source, listed, span !== null)
  const compared: ComparedPayout[] = []
  for (const payout of ledger) compared.push(compare(payout, await match.of(payout), options))
  const missing = [...listed.values()].filter((each) => !match.isUsed(each.id) && belongsInLedger(each))
  const payouts = [...compared, ...missing.map(missingInLedger)]
  const results = payouts.map(({ result }) => result)
  const doubts =
    payouts.length === 0 && listed.size === 0 && span === null
      ? ['Neither the ledger nor the gateway has payouts: nothing was compared']
      : []
  return { verdict: payoutsVerdict(results, doubts.length), payouts, listed: listed.size, doubts }
}

/** Finds the gateway's payout of a row: by its ID, else by our reference. A payout is used once. */
class PayoutMatcher {
  readonly #source: PayoutSource
  readonly #listed: ReadonlyMap<string, GatewayPayout>
  readonly #byReference: ReadonlyMap<string | null, readonly GatewayPayout[]>
  readonly #hasRange: boolean
  readonly #used = new Set<string>()
  #whole: Promise<ReadonlyMap<string | null, readonly GatewayPayout[]>> | undefined

  constructor(source: PayoutSource, listed: ReadonlyMap<string, GatewayPayout>, hasRange: boolean) {
    this.#source = source
    this.#listed = listed
    this.#byReference = byReference(listed.values())
    this.#hasRange = hasRange
  }

  isUsed(id: string): boolean {
    return this.#used.has(id)
  }

  async of(row: LedgerPayout): Promise<GatewayPayout | undefined> {
    const match = row.payoutId === null ? await this.#byExternalId(row) : await this.#byId(row.payoutId)
    if (match) this.#used.add(match.id)
    return match
  }

  async #byId(id: string): Promise<GatewayPayout | undefined> {
    const known = this.#listed.get(id)
    if (known) return known
    // Created outside of the time range.
    try {
      const found = (await payoutsOfId(this.#source, id)).find((payout) => payout.id === id)
      return found && toGatewayPayout(found)
    } catch (error) {
      if (!isProblem(error, 'NOT_FOUND') && !isProblem(error, 'INVALID_REQUEST_PARAMS')) throw error
      return undefined
    }
  }

  /** A reference that is not in the time range is searched among all payouts: it can have been created outside of the range. */
  async #byExternalId(row: LedgerPayout): Promise<GatewayPayout | undefined> {
    const listed = this.#free(row, this.#byReference)
    if (listed || !this.#hasRange) return listed
    this.#whole ??= allByReference(this.#source)
    return this.#free(row, await this.#whole)
  }

  /** Several payouts can have one reference: one that agrees comes first. */
  #free(row: LedgerPayout, among: ReadonlyMap<string | null, readonly GatewayPayout[]>): GatewayPayout | undefined {
    const free = (among.get(row.externalId) ?? []).filter(({ id }) => !this.#used.has(id))
    return free.find((each) => payoutDifferences(row, each).length === 0) ?? free[0]
  }
}

const byReference = (payouts: Iterable<GatewayPayout>) => Map.groupBy(payouts, ({ externalId }) => externalId)

async function allByReference(source: PayoutSource): Promise<ReadonlyMap<string | null, readonly GatewayPayout[]>> {
  const all: GatewayPayout[] = []
  for await (const payouts of listedPayouts(source, {})) all.push(...payouts.map(toGatewayPayout))
  return byReference(all)
}

function toGatewayPayout(payout: Payout): GatewayPayout {
  return {
    id: payout.id,
    externalId: payout.unique_external_id ?? null,
    address: payout.address,
    currency: payout.currency,
    amount: parseUnits(decimalTextOf(payout.amount) ?? '', payoutScale),
    status: payout.status,
    at: Date.parse(payout.created_at),
  }
}

function compare(ledger: LedgerPayout, gateway: GatewayPayout | undefined, options: PayoutsOptions): ComparedPayout {
  if (!gateway) {
    // A payout that the ledger calls failed may never have reached the gateway.
    if (ledger.status === 'failed')
      return { ...rowOf(ledger, undefined), result: 'matched', differences: [], message: '' }
    const isFresh = ledger.at !== null && options.now - ledger.at < options.freshMs
    const result = isFresh ? 'undecided' : 'missing-at-gateway'
    const end = isFresh ? ' yet; it may be on its way. Run this again later' : ''
    const message = `${nameOf(ledger)}: the gateway does not have this payout of ${amountOf(ledger.amount)} ${ledger.currency}${end}`
    return { ...rowOf(ledger, undefined), result, differences: [], message }
  }
  const differences = payoutDifferences(ledger, gateway)
  const result = resultOfPair(ledger, gateway, differences)
  const parts = differences.map(
    (each) => `${each.field} ${each.ledger} in the ledger, ${each.gateway || 'none'} at the gateway`,
  )
  const message =
    result === 'undecided'
      ? `${nameOf(ledger)}: the payout is ${gateway.status.toLowerCase()}, so it may still fail`
      : parts.length > 0
        ? `${nameOf(ledger)}: ${parts.join('; ')}`
        : ''
  return { ...rowOf(ledger, gateway), result, differences, message }
}

const nameOf = ({ payoutId, externalId }: LedgerPayout) => payoutId ?? `external_id ${externalId}`

function rowOf(
  ledger: LedgerPayout,
  gateway: GatewayPayout | undefined,
): Omit<ComparedPayout, 'result' | 'differences' | 'message'> {
  return {
    payoutId: gateway?.id ?? ledger.payoutId,
    externalId: ledger.externalId ?? gateway?.externalId ?? null,
    line: ledger.line,
    currency: ledger.currency,
    amount: amountOf(ledger.amount),
    address: ledger.address,
    status: ledger.status,
    at: ledger.at === null ? null : momentText(ledger.at),
    gateway: gateway ? sideOf(gateway) : null,
  }
}

function sideOf({ currency, amount, address, status, at }: GatewayPayout): NonNullable<ComparedPayout['gateway']> {
  return { currency, amount: amountOf(amount), address, status: status.toLowerCase(), at: momentText(at) }
}

function missingInLedger(gateway: GatewayPayout): ComparedPayout {
  const side = sideOf(gateway)
  return {
    payoutId: gateway.id,
    externalId: gateway.externalId,
    result: 'missing-in-ledger',
    line: null,
    currency: side.currency,
    amount: side.amount,
    address: side.address,
    status: null,
    at: side.at,
    gateway: side,
    differences: [],
    message: `${gateway.id}: the ledger does not have this payout of ${side.amount} ${side.currency}, ${side.status}`,
  }
}
