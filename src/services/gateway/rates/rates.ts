import type { Reader } from '../../../db/store.ts'
import { type RateTable, rateAssets } from '../../../domain/payments/rates.ts'
import { refuse } from '../api/contract.ts'
import { saveSetRates, setRatesOf } from '../queries/rates.ts'
import type { Gateway } from '../service.ts'

/**
 * Current prices of the gateway: the source's table, overridden by prices set by hand. Every price is read here, in the
 * transaction that uses it. A price set by another process therefore takes effect with the next transaction.
 */

/** Maximum age of prices whose age was set by hand, if the source has no limit of its own. */
const defaultMaxAgeMs = 10 * 60_000

export interface RateStanding {
  readonly table: RateTable
  /** Maximum age of prices to trade on; undefined for prices that are meant to be constant. */
  readonly maxAgeMs: number | undefined
  readonly isFresh: boolean
  /** Assets and fiat currencies whose price was set by hand or removed. */
  readonly set: readonly string[]
}

export async function rateStanding(app: Gateway, reader: Reader): Promise<RateStanding> {
  const row = await setRatesOf(reader)
  const source = app.rates.table()
  if (row === undefined) return toRateStanding(source, app.rates.maxAgeMs, reader.now, [])
  const byHand: Record<string, string | null> = JSON.parse(row.usd)
  const prices = Object.entries({ ...source.usd, ...byHand }).flatMap(([asset, usd]) =>
    usd === null ? [] : [[asset, usd] as const],
  )
  const table = { asOf: row.as_of ?? source.asOf, usd: Object.fromEntries(prices) }
  const maxAgeMs = app.rates.maxAgeMs ?? (row.as_of === null ? undefined : defaultMaxAgeMs)
  return toRateStanding(table, maxAgeMs, reader.now, Object.keys(byHand))
}

function toRateStanding(
  table: RateTable,
  maxAgeMs: number | undefined,
  now: number,
  set: readonly string[],
): RateStanding {
  return { table, maxAgeMs, isFresh: maxAgeMs === undefined || now - table.asOf <= maxAgeMs, set }
}

/** Returns the current prices, or throws RATE_UNAVAILABLE when they are too old to trade on. */
export async function currentRates(app: Gateway, reader: Reader): Promise<RateTable> {
  const { table, isFresh } = await rateStanding(app, reader)
  if (!isFresh) throw refuse('RATE_UNAVAILABLE', 'No exchange rate is available: try again later')
  return table
}

/** Returns the latest prices of any age: for display, and for money that was already received. */
export async function latestRates(app: Gateway, reader: Reader): Promise<RateTable> {
  return (await rateStanding(app, reader)).table
}

// ── The console ──

export function readRates(app: Gateway): Promise<RateStanding> {
  return app.store.read((reader) => rateStanding(app, reader))
}

/** Sets the price of an asset or fiat currency in US dollars; null removes it. Effective from the next transaction. */
export async function setRate(app: Gateway, asset: string, usd: string | null): Promise<RateStanding> {
  const name = asset.toLowerCase()
  if (!rateAssets(app.rates.table()).includes(name))
    throw refuse('CURRENCY_UNAVAILABLE', `Prices of ${asset} cannot be set: unknown asset`)
  if (name === 'usd') throw refuse('INVALID_REQUEST_PARAMS', 'The price of usd cannot be set: prices are in dollars')
  if (usd !== null && !(/^\d{1,15}(\.\d{1,12})?$/.test(usd) && /[1-9]/.test(usd)))
    throw refuse('INVALID_AMOUNT', `${usd} is not a positive price in dollars`)
  return change(app, (row) => ({ ...row, usd: JSON.stringify({ ...JSON.parse(row.usd), [name]: usd }) }))
}

/** Sets the age of the prices by the world's clock. They then age with it until they are too old to trade on. */
export function ageRates(app: Gateway, ageMs: number): Promise<RateStanding> {
  return change(app, (row, now) => ({ ...row, as_of: now - ageMs }))
}

/** Restores the prices of the source and their age. */
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
