import { cutUnits, formatUnits } from '../money.ts'
import { byText } from '../reconcile/daily.ts'

/** The open amount of a ticket: money of its customer that is not settled. */

/** A record of the operator about money of a player that is not settled. */
export interface OpenRecord {
  readonly kind: 'break' | 'transfer'
  readonly currency: string | null
  /** Decimal text; its sign does not count. */
  readonly amount: string
}

export interface Stake {
  /** Decimal text, in the order of the records. The currency is null where none is stated. */
  readonly amounts: readonly { readonly currency: string | null; readonly amount: string }[]
  readonly breaks: number
  readonly transfers: number
  /** `book`: from the operator's records. `ticket`: as the customer states it in the form. */
  readonly source: 'book' | 'ticket'
}

/** Sorts an unknown currency after those of equally many items. */
const afterAll = '~'

/** Decimals that amounts of any currency have at most. */
const scale = 18

/**
 * Returns the open amount of a ticket: the sum of the customer's open records by currency, else what the form states. The two
 * are never added, because the form usually states the amount of a record.
 */
export function stakeOf(
  records: readonly OpenRecord[],
  fields: readonly { readonly fieldCode: string; readonly value: unknown }[],
): Stake | null {
  const sums = new Map<string | null, bigint>()
  for (const { currency, amount } of records) {
    const units = cutUnits(amount, scale)
    if (units !== null) sums.set(currency, (sums.get(currency) ?? 0n) + (units < 0n ? -units : units))
  }
  const amounts = [...sums].filter(([, units]) => units > 0n)
  if (amounts.length > 0)
    return {
      amounts: amounts.map(([currency, units]) => ({ currency, amount: formatUnits(units, scale) })),
      breaks: records.filter(({ kind }) => kind === 'break').length,
      transfers: records.filter(({ kind }) => kind === 'transfer').length,
      source: 'book',
    }
  return stakeInForm(fields)
}

function stakeInForm(fields: readonly { readonly fieldCode: string; readonly value: unknown }[]): Stake | null {
  const stated = (name: RegExp) => fields.find(({ fieldCode }) => name.test(fieldCode))?.value
  const units = cutUnits(String(stated(/amount/i) ?? ''), scale)
  if (units === null || units === 0n) return null
  const currency = stated(/currency/i)
  const known = typeof currency === 'string' && /^[A-Za-z0-9]{2,20}$/.test(currency) ? currency.toUpperCase() : null
  const amount = formatUnits(units < 0n ? -units : units, scale)
  return { amounts: [{ currency: known, amount }], breaks: 0, transfers: 0, source: 'ticket' }
}

/**
 * Sorts by the open amount, largest first. Amounts of different currencies cannot be compared without rates, so each currency
 * stays together: first the one of the most items, and items without an amount last. Equal items keep their order.
 */
export function byStake<T>(items: readonly T[], stake: (item: T) => Stake | null): T[] {
  return stakeGroups(items, stake).flatMap((group) => group.items)
}

/** Same with the items of each currency by themselves. */
export function stakeGroups<T>(items: readonly T[], stake: (item: T) => Stake | null): StakeGroup<T>[] {
  const counts = new Map<string | null, number>()
  const stakes = new Map(items.map((item) => [item, stake(item)]))
  for (const each of stakes.values())
    for (const { currency } of each?.amounts ?? []) counts.set(currency, (counts.get(currency) ?? 0) + 1)
  const currencies = [...counts].sort((a, b) => b[1] - a[1] || byText(a[0] ?? afterAll, b[0] ?? afterAll))
  const rank = new Map(currencies.map(([currency], at) => [currency, at]))
  const keyOf = (item: T) => {
    const keys = (stakes.get(item)?.amounts ?? []).map(({ currency, amount }) => ({
      rank: rank.get(currency) ?? 0,
      units: cutUnits(amount, scale) ?? 0n,
    }))
    return keys.toSorted((a, b) => a.rank - b.rank)[0] ?? { rank: Number.POSITIVE_INFINITY, units: 0n }
  }
  const keyed = items.map((item) => ({ item, key: keyOf(item) }))
  keyed.sort((a, b) => {
    if (a.key.rank !== b.key.rank) return a.key.rank - b.key.rank
    return a.key.units === b.key.units ? 0 : a.key.units < b.key.units ? 1 : -1
  })
  return [...Map.groupBy(keyed, ({ key }) => key.rank)].map(([rank, group]) => ({
    currency: currencies[rank]?.[0],
    items: group.map(({ item }) => item),
  }))
}

/** Formats the amounts: `1200 USD, 0.5 BTC`. */
export const stakeText = ({ amounts }: Stake): string =>
  amounts.map(({ currency, amount }) => (currency === null ? amount : `${amount} ${currency}`)).join(', ')

/** Tickets of one currency in an order by stake. */
export interface StakeGroup<T> {
  /** Null where none is stated; undefined for items without an amount. */
  readonly currency: string | null | undefined
  readonly items: readonly T[]
}
