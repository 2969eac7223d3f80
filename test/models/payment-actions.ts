import fc from 'fast-check'
import type { CoinCode, fiats } from './payment-facts.ts'

/** Events of payments, as data: valid in any order. */

const minute = 60_000
const day = 24 * 60 * minute
export const codes = ['usdttrc20', 'btc', 'eth'] as const satisfies readonly CoinCode[]
const prices = {
  usdt: ['1', '0.97', '1.031'],
  btc: ['100000', '50000', '99999.99', '140000', '33333.333333'],
  eth: ['4000', '2000.5', '7999.123456', '1234.5'],
} as const

const which = fc.nat({ max: 7 })
export const pick = fc.constantFrom
const times = ['quote-1', 'quote', 'quote', 'quote+1', 'quote+1', 'window-1', 'window', 'window+1'] as const
const lengths = [
  1,
  3_000,
  20_000,
  60_000,
  13 * minute,
  13 * minute,
  21 * minute,
  21 * minute,
  3 * 60 * minute,
  day,
] as const
export const parts = [
  '10',
  '40',
  '40',
  '60',
  '60',
  '95',
  'rest',
  'hair less',
  'hair more',
  'least',
  'too little',
  'whole',
  'tiny',
] as const
export const creation = fc.record({
  do: fc.constant('create' as const),
  coin: pick(...codes),
  out: fc.option(pick(...codes), { freq: 3, nil: null }),
  price: pick<readonly [keyof typeof fiats, bigint]>(
    ['usd', 10_000n],
    ['usd', 33_333n],
    ['usd', 123_457n],
    ['jpy', 15_001n],
    ['jpy', 150_000n],
  ),
  kind: pick('plain', 'plain', 'plain', 'named', 'finely named', 'fixed', 'fee', 'sub', 'fixed sub'),
})
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary })
export const action = fc.oneof(
  weighted(1, creation),
  weighted(
    8,
    fc.record({
      do: fc.constant('send' as const),
      which,
      part: pick(...parts),
      isBad: fc.nat({ max: 9 }).map((chance) => chance === 0),
      isSeen: pick(true, true, true, false),
    }),
  ),
  weighted(1, fc.record({ do: fc.constant('stray' as const), which })),
  weighted(7, fc.record({ do: fc.constant('confirm' as const), which })),
  weighted(2, fc.record({ do: fc.constant('blocks' as const), coin: pick(...codes), count: pick(1, 2, 11, 40) })),
  weighted(2, fc.record({ do: fc.constant('reorganize' as const), which })),
  weighted(
    3,
    pick(
      ...Object.entries(prices).flatMap(([asset, list]) => list.map((usd) => ({ do: 'price' as const, asset, usd }))),
    ),
  ),
  // A price is removed, of the coin itself, of its network's coin or of the price's currency.
  weighted(
    1,
    fc.record({
      do: fc.constant('price' as const),
      asset: pick('usdt', 'btc', 'eth', 'trx', 'jpy'),
      usd: fc.constant(null),
    }),
  ),
  // All prices stop at this age, or are available and current again.
  weighted(
    1,
    fc.record({ do: fc.constant('age' as const), ms: pick(0, 9 * minute, 10 * minute, 10 * minute + 1, day) }),
  ),
  weighted(2, fc.record({ do: fc.constant('fresh' as const) })),
  weighted(
    6,
    fc.record({
      do: fc.constant('wait' as const),
      which,
      to: fc.oneof(pick(...times), weighted(2, pick(...lengths))),
      how: pick('awake', 'awake', 'awake', 'asleep', 'dead'),
    }),
  ),
  weighted(2, fc.record({ do: fc.constant('estimate' as const), which })),
  weighted(2, fc.record({ do: fc.constant('refund' as const), which })),
  weighted(3, fc.record({ do: fc.constant('look' as const), which })),
  weighted(2, fc.record({ do: fc.constant('pay' as const), which })),
)
export type Action = typeof action extends fc.Arbitrary<infer T> ? T : never
