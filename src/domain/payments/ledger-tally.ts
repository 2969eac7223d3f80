import { type Account, accountKinds } from './ledger.ts'

/** Sums of a ledger: opening and closing balances of a range, and the proofs that they are complete. */

/** An entry of a posting. */
export interface LedgerEntry {
  readonly posting: string
  readonly at: number
  readonly account: Account
  readonly name: string
  readonly units: bigint
}

/** Sums of an account in the range. */
export interface AccountTally {
  readonly account: Account
  opening: bigint
  /** Sum of the positive and of the negative entries. */
  added: bigint
  taken: bigint
  closing: bigint
  /** Sum of all entries, also of those after the range. */
  latest: bigint
}

/** A sum that is not zero, or a stored balance that the entries do not give. */
export interface LedgerFault {
  readonly kind: 'posting' | 'opening' | 'closing' | 'balance'
  /** Posting, or account. */
  readonly subject: string
  readonly currency: string
  /** Units that are too many or too few. */
  readonly units: bigint
  readonly ref: string | null
}

export class LedgerTally {
  readonly accounts = new Map<string, AccountTally>()
  readonly faults: LedgerFault[] = []
  /** Number of entries and postings in the range. */
  entries = 0
  readonly #postings = new Set<string>()
  readonly #from: number
  readonly #to: number

  constructor({ from, to }: { readonly from: number | undefined; readonly to: number | undefined }) {
    this.#from = from ?? Number.NEGATIVE_INFINITY
    this.#to = to ?? Number.POSITIVE_INFINITY
  }

  get postings(): number {
    return this.#postings.size
  }

  /** Checks that the entries of a posting sum to zero in each currency. */
  checkPosting(entries: readonly LedgerEntry[], ref: string): void {
    const totals = new Map<string, bigint>()
    for (const { account, units } of entries) totals.set(account.currency, (totals.get(account.currency) ?? 0n) + units)
    for (const [currency, units] of totals)
      if (units !== 0n) this.faults.push({ kind: 'posting', subject: entries[0]?.posting ?? '', currency, units, ref })
  }

  /** Adds an entry. Returns the balance of its account after it; undefined if it is outside of the range. */
  add({ posting, at, account, name, units }: LedgerEntry): bigint | undefined {
    const tally = this.accounts.get(name) ?? empty(account)
    this.accounts.set(name, tally)
    tally.latest += units
    if (at > this.#to) return undefined
    tally.closing += units
    if (at < this.#from) {
      tally.opening += units
      return undefined
    }
    if (units > 0n) tally.added += units
    else tally.taken += units
    this.entries++
    this.#postings.add(posting)
    return tally.closing
  }

  /** Ends the reading: compares with the stored balances, and checks that each currency sums to zero. */
  close(stored: readonly { readonly name: string; readonly units: bigint }[]): void {
    for (const { name, units } of stored) {
      const tally = this.accounts.get(name)
      const difference = units - (tally?.latest ?? 0n)
      if (difference !== 0n)
        this.faults.push({
          kind: 'balance',
          subject: name,
          currency: tally?.account.currency ?? name.split('/').at(-1) ?? '',
          units: difference,
          ref: null,
        })
    }
    for (const field of ['opening', 'closing'] as const)
      for (const [currency, units] of this.totals(field))
        if (units !== 0n) this.faults.push({ kind: field, subject: currency, currency, units, ref: null })
  }

  /** Returns the sum of all accounts by currency, which is zero in a balanced ledger. */
  totals(field: 'opening' | 'closing'): ReadonlyMap<string, bigint> {
    const totals = new Map<string, bigint>()
    for (const { account, [field]: units } of this.accounts.values())
      totals.set(account.currency, (totals.get(account.currency) ?? 0n) + units)
    return totals
  }

  /** Returns the accounts by currency: those of the merchant first, in the order of their kinds. */
  sorted(): AccountTally[] {
    const kinds = Object.keys(accountKinds)
    const isOutside = ({ account }: AccountTally) => (outsideKinds.has(account.kind) ? 1 : 0)
    const keyOf = (tally: AccountTally) =>
      `${tally.account.currency} ${isOutside(tally)} ${String(kinds.indexOf(tally.account.kind)).padStart(2, '0')} ${tally.account.owner}`
    return [...this.accounts.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  }
}

/** Accounts that belong to no merchant: the statement has the merchant's part of them. */
export const outsideKinds: ReadonlySet<string> = new Set(['chain', 'network', 'exchange', 'fees'])

function empty(account: Account): AccountTally {
  return { account, opening: 0n, added: 0n, taken: 0n, closing: 0n, latest: 0n }
}
