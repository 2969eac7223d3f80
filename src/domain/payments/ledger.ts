import assert from 'node:assert/strict'

/**
 * Double entry: every move is a posting whose entries sum to zero in each currency, so whatever happens, all accounts
 * of a currency together hold nothing. What came in from a chain stands with the opposite sign against that chain.
 */

/** What an account is for. Those of the outside may stand below zero; a merchant's may not. */
export const accountKinds = {
  /** The chain itself: all that was ever received and not sent on, with the sign turned round. */
  chain: 'outside',
  /** Miners and validators: what transfers cost. */
  network: 'outside',
  /** Our own book of conversions: gives one coin, takes another. */
  exchange: 'outside',
  /** What the service earned. */
  fees: 'inside',
  /** A merchant's custody balance. */
  available: 'inside',
  /** Deposits of payments that are not complete. */
  pending: 'inside',
  /** Set aside for payouts and settlements under way. */
  held: 'inside',
  /** Kept back after a sanctions match. */
  frozen: 'inside',
  /** A sub-account's balance. */
  sub: 'inside',
} as const

export type AccountKind = keyof typeof accountKinds

export interface Account {
  readonly kind: AccountKind
  /** Whose: a merchant, a sub-account; an environment for what belongs to nobody in particular. */
  readonly owner: string
  readonly currency: string
}

export interface Entry extends Account {
  /** Above zero: the account has more. */
  readonly units: bigint
}

/** One name per account, for maps and columns. */
export function accountName({ kind, owner, currency }: Account): string {
  return `${kind}/${owner}/${currency}`
}

/** Moves units from one account to another of the same currency. */
export function moved(from: Account, to: Account, units: bigint): readonly Entry[] {
  assert(units >= 0n, 'what is moved is not below zero')
  assert(from.currency === to.currency, 'a move stays in its currency; an exchange is two moves')
  if (units === 0n) return []
  return [
    { ...from, units: -units },
    { ...to, units },
  ]
}

/**
 * The balances that a posting leads to, of just the accounts it touches; `too-little` when an inside account would fall
 * below zero. `before` answers with the balance of an account.
 */
export function posted(
  entries: readonly Entry[],
  before: (account: Account) => bigint,
): readonly { account: Account; balance: bigint }[] | 'too-little' {
  const totals = new Map<string, bigint>()
  for (const { currency, units } of entries) totals.set(currency, (totals.get(currency) ?? 0n) + units)
  for (const [currency, total] of totals) assert(total === 0n, `a posting of ${currency} sums to ${total}, not to zero`)
  const after = new Map<string, { account: Account; balance: bigint }>()
  for (const { kind, owner, currency, units } of entries) {
    const account = { kind, owner, currency }
    const name = accountName(account)
    after.set(name, { account, balance: (after.get(name)?.balance ?? before(account)) + units })
  }
  const balances = [...after.values()]
  const isShort = balances.some(({ account, balance }) => accountKinds[account.kind] === 'inside' && balance < 0n)
  return isShort ? 'too-little' : balances
}
