import { minuteText } from '../../../kit/moment.ts'
import type { RateStanding } from '../../../services/gateway/rates/rates.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

/** View of the prices of a world. */

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

export function ratesSchema({ Type }: Shapes) {
  return Type.Object({
    asOf: Type.String({ description: 'Time of the prices.' }),
    ageSeconds: Type.Integer({ description: "Age by the world's clock." }),
    maxAgeSeconds: Type.Union([
      Type.Integer({ description: 'Maximum age for trading.' }),
      Type.Null({ description: 'The prices never expire.' }),
    ]),
    tradable: Type.Boolean({
      description: 'False if requests that need a price fail with RATE_UNAVAILABLE.',
    }),
    prices: Type.Array(
      Type.Object({
        asset: Type.String(),
        usd: Type.Union([Type.String(), Type.Null({ description: 'No price.' })]),
        setByHand: Type.Boolean(),
      }),
    ),
  })
}

/** Describes in one sentence whether the prices can be used. */
export function ratesNote({ tradable, asOf, maxAgeSeconds }: RatesView): string {
  if (!tradable)
    return `The prices of ${minuteText(asOf)} are too old. Requests that need one fail with RATE_UNAVAILABLE.`
  if (maxAgeSeconds === null) return `The prices of ${minuteText(asOf)} never expire.`
  return `The prices of ${minuteText(asOf)} expire ${maxAgeSeconds} s later.`
}
