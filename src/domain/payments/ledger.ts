import assert from 'node:assert/strict'

/**
 * Double-entry bookkeeping: the entries of a posting sum to zero in each currency, so all accounts of a currency
 * together hold zero. Deposits from a chain have the opposite sign on that chain's account.
 */

/** Kinds of accounts. Outside accounts may be negative; inside accounts may not. */
export const accountKinds = {
  /** The chain: everything received and not sent on, with the opposite sign. */
  chain: 'outside',
  /** Miners and validators: transfer fees. */
  network: 'outside',
  /** Conversions: gives one coin, takes another. */
  exchange: 'outside',
  /** Earnings of the service. */
  fees: 'inside',
  /** A merchant's custody balance. */
  available: 'inside',
  /** Deposits of payments that are not complete. */
  pending: 'inside',
  /** Reserved for payouts and settlements under way. */
  held: 'inside',
  /** Frozen after a sanctions match. */
  frozen: 'inside',
  /** A sub-account's balance. */
  sub: 'inside',
} as const

export type AccountKind = keyof typeof accountKinds

export interface Account {
  readonly kind: AccountKind
  /** Owner: a merchant or a sub-account; the environment for accounts without an owner. */
  readonly owner: string
  readonly currency: string
}

export interface Entry extends Account {
  /** Positive increases the account. */
  readonly units: bigint
}

/** Returns the name of an account, for maps and columns. */
export function accountName({ kind, owner, currency }: Account): string {
  return `${kind}/${owner}/${currency}`
}

/** Returns the account of a name. */
export function accountFrom(name: string): Account {
  const [kind = '', owner = '', currency = ''] = name.split('/')
  assert(Object.hasOwn(accountKinds, kind), `${name} is not the name of an account`)
  return { kind: kind as AccountKind, owner, currency }
}

/** Returns the entries that move units between two accounts of the same currency. */
export function moved(from: Account, to: Account, units: bigint): readonly Entry[] {
  assert(units >= 0n, 'units must not be negative')
  assert(from.currency === to.currency, 'a move must stay in its currency; an exchange is two moves')
  if (units === 0n) return []
  return [
    { ...from, units: -units },
    { ...to, units },
  ]
}

/**
 * Returns the new balances of the accounts in a posting, or `too-little` when an inside account would become negative.
 * `before` returns the current balance of an account.
 */
export function posted(
  entries: readonly Entry[],
  before: (account: Account) => bigint,
): readonly { account: Account; balance: bigint }[] | 'too-little' {
  const totals = new Map<string, bigint>()
  for (const { currency, units } of entries) totals.set(currency, (totals.get(currency) ?? 0n) + units)
  for (const [currency, total] of totals) assert(total === 0n, `a posting of ${currency} sums to ${total}, not to 0`)
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
