import { formatUnits, unitsOf } from '../money.ts'
import { dayOf, daysApart } from '../time/day.ts'
import { byText } from './daily.ts'

/** Ageing of open breaks, in days of the tenant. */

/** Age brackets, youngest first, by the number of midnights in the tenant's zone since the break was opened. */
export const ageBuckets = [
  { name: '0-1 days', from: 0, to: 1 },
  { name: '2-3 days', from: 2, to: 3 },
  { name: '4-7 days', from: 4, to: 7 },
  { name: '8-30 days', from: 8, to: 30 },
  { name: 'over 30 days', from: 31, to: null },
] as const

/** An open break, as far as its age concerns it. */
export interface AgedBreak {
  /** Epoch milliseconds. */
  readonly openedAt: number
  readonly currency: string | null
  /** Signed decimal text. */
  readonly amount: string | null
  readonly isSnoozed: boolean
}

/** Breaks of one age. */
export interface AgeBucket {
  readonly bucket: string
  readonly fromDays: number
  /** Null for the oldest bracket. */
  readonly toDays: number | null
  readonly breaks: number
  readonly snoozed: number
  /** Sums of the breaks that have an amount, sorted by currency. */
  readonly amounts: readonly {
    readonly currency: string
    readonly breaks: number
    /** Sum without signs. */
    readonly gross: string
    /** Sum with signs: differences in both directions cancel out. */
    readonly net: string
  }[]
  /** Number of breaks whose amount or currency is not known; they are in no sum. */
  readonly withoutAmount: number
}

/** Digits of the sums; no amount of the APIs has more. */
const sumScale = 18

/** Returns the breaks by age. Empty brackets are included. */
export function byAge(breaks: readonly AgedBreak[], { now, zone }: { now: number; zone: string }): AgeBucket[] {
  const today = dayOf(now, zone)
  const ages = Map.groupBy(breaks, ({ openedAt }) => {
    const days = daysApart(dayOf(openedAt, zone), today)
    return ageBuckets.findLast(({ from }) => days >= from)?.name ?? ageBuckets[0].name
  })
  return ageBuckets.map(({ name, from, to }) => {
    const of = ages.get(name) ?? []
    const known = of.flatMap(({ currency, amount }) => {
      const units = amount === null ? null : unitsOf(amount, sumScale)
      return currency === null || units === null ? [] : [{ currency, units }]
    })
    const amounts = [...Map.groupBy(known, ({ currency }) => currency)].map(([currency, each]) => ({
      currency,
      breaks: each.length,
      gross: formatUnits(
        each.reduce((sum, { units }) => sum + (units < 0n ? -units : units), 0n),
        sumScale,
      ),
      net: formatUnits(
        each.reduce((sum, { units }) => sum + units, 0n),
        sumScale,
      ),
    }))
    return {
      bucket: name,
      fromDays: from,
      toDays: to,
      breaks: of.length,
      snoozed: of.filter(({ isSnoozed }) => isSnoozed).length,
      amounts: amounts.sort((a, b) => byText(a.currency, b.currency)),
      withoutAmount: of.length - known.length,
    }
  })
}
