import type { RateStanding } from '../../../services/gateway/rates/rates.ts'

/** How the prices of a world are shown and told. */

export function ratesView({ table, maxAgeMs, isFresh, set }: RateStanding, now: number) {
  return {
    asOf: new Date(table.asOf).toISOString(),
    ageSeconds: Math.max(0, Math.floor((now - table.asOf) / 1000)),
    maxAgeSeconds: maxAgeMs === undefined ? null : Math.floor(maxAgeMs / 1000),
    tradable: isFresh,
    prices: [...new Set([...Object.keys(table.usd), ...set])].map((asset) => ({
      asset,
      usd: table.usd[asset] ?? null,
      setByHand: set.includes(asset),
    })),
  }
}

export type RatesView = ReturnType<typeof ratesView>

export async function ratesSchema() {
  const { Type } = await import('typebox')
  return Type.Object({
    asOf: Type.String({ description: 'The moment the prices are of' }),
    ageSeconds: Type.Integer({ description: "How old that is by the world's clock" }),
    maxAgeSeconds: Type.Union([
      Type.Integer({ description: 'How old they may be to be traded on' }),
      Type.Null({ description: 'They are meant to stand still' }),
    ]),
    tradable: Type.Boolean({
      description: 'False where everything that needs a price is refused with RATE_UNAVAILABLE',
    }),
    prices: Type.Array(
      Type.Object({
        asset: Type.String(),
        usd: Type.Union([Type.String(), Type.Null({ description: 'There is no price' })]),
        setByHand: Type.Boolean(),
      }),
    ),
  })
}

/** One sentence on whether anybody can trade on the prices. */
export function ratesNote({ tradable, asOf, maxAgeSeconds }: RatesView): string {
  if (!tradable) return `The prices are of ${asOf}: too old. What needs one is refused with RATE_UNAVAILABLE.`
  if (maxAgeSeconds === null) return `The prices are of ${asOf} and stand still.`
  return `The prices are of ${asOf}, and good for ${maxAgeSeconds} s from then.`
}
