import type { Reader } from '../../../db/store.ts'
import { type RateTable, rateAssets } from '../../../domain/payments/rates.ts'
import { refuse } from '../api/contract.ts'
import { saveSetRates, setRatesOf } from '../queries/rates.ts'
import type { Gateway } from '../service.ts'

/**
 * What things are worth to the gateway: its source's table, and before it what was set by hand. All that prices anything
 * reads it here, in the transaction it works in, so that a price set beside a running service holds from the next one on.
 */

/** How old prices may be whose age was set by hand, where the source names no limit of its own. */
const usualMaxAgeMs = 10 * 60_000

export interface RateStanding {
  readonly table: RateTable
  /** How old the prices may be before nobody should trade on them; undefined for those that are meant to stand still. */
  readonly maxAgeMs: number | undefined
  readonly isFresh: boolean
  /** Whose price was set by hand, or taken away. */
  readonly set: readonly string[]
}

export async function rateStanding(app: Gateway, reader: Reader): Promise<RateStanding> {
  const row = await setRatesOf(reader)
  const source = app.rates.table()
  if (row === undefined) return standing(source, app.rates.maxAgeMs, reader.now, [])
  const byHand: Record<string, string | null> = JSON.parse(row.usd)
  const prices = Object.entries({ ...source.usd, ...byHand }).flatMap(([asset, usd]) =>
    usd === null ? [] : [[asset, usd] as const],
  )
  const table = { asOf: row.as_of ?? source.asOf, usd: Object.fromEntries(prices) }
  const maxAgeMs = app.rates.maxAgeMs ?? (row.as_of === null ? undefined : usualMaxAgeMs)
  return standing(table, maxAgeMs, reader.now, Object.keys(byHand))
}

function standing(table: RateTable, maxAgeMs: number | undefined, now: number, set: readonly string[]): RateStanding {
  return { table, maxAgeMs, isFresh: maxAgeMs === undefined || now - table.asOf <= maxAgeMs, set }
}

/** The prices that hold at the moment, or RATE_UNAVAILABLE when those at hand are too old to trade on. */
export async function currentRates(app: Gateway, reader: Reader): Promise<RateTable> {
  const { table, isFresh } = await rateStanding(app, reader)
  if (!isFresh) throw refuse('RATE_UNAVAILABLE', 'There is no exchange rate now: try again later')
  return table
}

/** The latest prices there are, however old: for what is shown, and for money that is here already. */
export async function latestRates(app: Gateway, reader: Reader): Promise<RateTable> {
  return (await rateStanding(app, reader)).table
}

// ── The console ──

export function readRates(app: Gateway): Promise<RateStanding> {
  return app.store.read((reader) => rateStanding(app, reader))
}

/** Sets what one asset or fiat currency is worth in dollars, or takes its price away; holds from the next request on. */
export async function setRate(app: Gateway, asset: string, usd: string | null): Promise<RateStanding> {
  const name = asset.toLowerCase()
  if (!rateAssets(app.rates.table()).includes(name))
    throw refuse('CURRENCY_UNAVAILABLE', `There is no price of ${asset} to set`)
  if (name === 'usd') throw refuse('INVALID_REQUEST_PARAMS', 'A dollar is worth a dollar: prices are in dollars')
  if (usd !== null && !(/^\d{1,15}(\.\d{1,12})?$/.test(usd) && /[1-9]/.test(usd)))
    throw refuse('INVALID_AMOUNT', `${usd} is not a price above zero in dollars`)
  return change(app, (row) => ({ ...row, usd: JSON.stringify({ ...JSON.parse(row.usd), [name]: usd }) }))
}

/** Makes the prices as old as this by the world's clock. From then on they age, and nobody trades on old ones. */
export function ageRates(app: Gateway, ageMs: number): Promise<RateStanding> {
  return change(app, (row, now) => ({ ...row, as_of: now - ageMs }))
}

/** Puts the source's own prices back, with their own age. */
export function resetRates(app: Gateway): Promise<RateStanding> {
  return change(app, () => undefined)
}

interface SetRates {
  readonly as_of: number | null
  readonly usd: string
}

function change(app: Gateway, next: (row: SetRates, now: number) => SetRates | undefined): Promise<RateStanding> {
  return app.store.write(async (tx) => {
    const { as_of, usd } = (await setRatesOf(tx)) ?? { as_of: null, usd: '{}' }
    await saveSetRates(tx, next({ as_of, usd }, tx.now))
    return rateStanding(app, tx)
  })
}
