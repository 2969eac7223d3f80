import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  firstSettlement,
  type Revision,
  recalculation,
  type Settlement,
  voiding,
} from '../../../src/domain/bets/slip.ts'
import { type Card, deck, decks } from '../../../src/domain/games/cards.ts'
import {
  gameNames,
  isNo,
  isSpent,
  offeredZones,
  type TableSettings,
  type Variant,
  variantsOf,
  type Wager,
  zonesOf,
} from '../../../src/domain/games/game.ts'
import { games } from '../../../src/domain/games/index.ts'
import { shuffled } from '../../../src/domain/games/shuffle.ts'
import { sum } from '../../../src/domain/money.ts'
import { seededBytes } from '../../../src/kit/ambient.ts'

/** Every game whose slips are settled one by one; no-limit hands have invariants of their own next to their tests. */
const tables = [
  { game: games.baccarat, variant: 'classic', settings: {} },
  { game: games.baccarat, variant: 'nocomm', settings: {} },
  { game: games.dragontiger, variant: 'standard', settings: { sideBets: true } },
  { game: games.niuniu, variant: 'standard', settings: {} },
  { game: games.niuniu, variant: 'standard', settings: { specialHands: true, commission: '0.05' } },
  { game: games.holdem, variant: 'casino', settings: {} },
  { game: games.holdem, variant: 'thbp', settings: {} },
] as const satisfies readonly { game: unknown; variant: Variant; settings: TableSettings }[]
type Table = (typeof tables)[number]

const amount = fc.oneof(fc.bigInt({ min: 1n, max: 9n }), fc.bigInt({ min: 1n, max: 10n ** 13n }))

/** A slip that the table accepts: any zones, or an ante with some of its multiples. */
function aSlip({ game, variant, settings }: Table) {
  const stages = game.stages(variant, settings)
  const zones = offeredZones(game, variant, settings)
  const isAgainstDealer = game.name === 'holdem'
  return fc
    .record({
      chosen: fc.subarray([...zones], { minLength: 1 }),
      amounts: fc.array(amount, { minLength: zones.length, maxLength: zones.length }),
      ante: amount,
    })
    .map(({ chosen, amounts, ante }) => {
      const amountOf = (zone: string, i: number) => {
        const times = stages.find((stage) => stage.zones.some((each) => each === zone))?.timesAnte
        if (times !== undefined) return ante * BigInt(times)
        return zone === 'ANTE' ? ante : (amounts[i] ?? 1n)
      }
      const first = stages.find((stage) => stage.timesAnte !== undefined)?.zones[0]
      const played =
        !isAgainstDealer || (first && chosen.includes(first))
          ? chosen
          : chosen.filter((zone) => ['ANTE', 'AAB', 'BONUS'].includes(zone))
      const named = isAgainstDealer ? [...new Set(['ANTE', ...played])] : played
      const order = { variant, bets: named.map((zone, i) => ({ zone, amount: amountOf(zone, i) })) }
      const accepted = game.accept(order, settings)
      if (isNo(accepted)) throw new Error(accepted.because)
      return accepted.bets
    })
}

/** A round dealt from a new shoe, and the slip settled by it. */
function settledBy({ game, variant, settings }: Table, bets: Wager['bets'], seed: number): Settlement {
  const cards = shuffled(decks(game.shoe.decks), seededBytes(`${game.name}/${seed}`))
  const { outcome, holes } = game.deal(cards, { variant, settings, hands: 1 })
  const again = game.read({ cardInfo: outcome.cardInfo ?? '' }, { variant, settings })
  expect(again).toEqual(outcome)
  const hand = { hole: holes[0] ?? [], folded: false, seat: 1 }
  const settled = game.settle(outcome, [holes.length > 0 ? { variant, bets, hand } : { variant, bets }], settings)
  if (isNo(settled) || !settled[0]) throw new Error('not settled')
  return settled[0]
}

describe.each(tables)('$game.name $variant $settings', (table) => {
  const rounds = fc.record({ bets: aSlip(table), seeds: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }) })

  test('the amounts of a settlement are consistent', () => {
    fc.assert(
      fc.property(rounds, ({ bets, seeds: [seed = 0] }) => {
        const one = settledBy(table, bets, seed)
        expect(one.stake).toBe(sum(bets.map((bet) => bet.amount)))
        expect(one.hold).toBe(sum(bets.map((bet) => bet.hold ?? 0n)))
        expect(one.payout).toBe(sum(one.legs.map((leg) => leg.return)))
        expect(one.winLoss).toBe(one.payout - one.stake - one.hold)
        const counted = sum(one.legs.map((leg) => leg.amount * BigInt(leg.mult ?? 1)))
        expect(one.validStake >= 0n && one.validStake <= counted).toBe(true)
        expect(one.rolling >= 0n && one.rolling <= counted).toBe(true)
        // Nothing is lost beyond the stake and its hold, on any leg.
        expect(one.legs.every((leg) => leg.return >= 0n)).toBe(true)
        expect(one.winLoss >= -(one.stake + one.hold)).toBe(true)
        expect(one.legs.map(({ zone, amount: staked }) => [zone, staked])).toEqual(
          bets.map((bet) => [bet.zone, bet.amount]),
        )
      }),
      { numRuns: 150 },
    )
  })

  test('settled, corrected and voided, a slip returns its cost to the player, and nothing else', () => {
    fc.assert(
      fc.property(rounds, ({ bets, seeds }) => {
        const revisions: Revision[] = []
        const add = (revision: Revision | 'void-is-final') => {
          if (revision === 'void-is-final') throw new Error(revision)
          revisions.push(revision)
        }
        for (const seed of seeds) {
          const last = revisions.at(-1)
          const settlement = settledBy(table, bets, seed)
          add(last ? recalculation(last, settlement) : firstSettlement(settlement))
          expect(sum(revisions.map((revision) => revision.delta))).toBe(settlement.payout)
        }
        add(voiding(revisions.at(-1) ?? null, bets, table.game.name === 'holdem'))
        const last = revisions.at(-1)
        expect(sum(revisions.map((revision) => revision.delta))).toBe(last && last.stake + last.hold)
        expect(last).toMatchObject({ winLoss: 0n, validStake: 0n, rolling: 0n, rake: 0n })
      }),
      { numRuns: 50 },
    )
  })
})

describe('the list of games', () => {
  test('has every game under its own name, with its own variants and zones', () => {
    for (const name of gameNames) {
      expect(games[name].name).toBe(name)
      expect(games[name].variants).toEqual(variantsOf[name])
      const everything = { sideBets: true, specialHands: true }
      const offered = variantsOf[name].flatMap((variant: Variant) => offeredZones(games[name], variant, everything))
      expect(new Set(offered)).toEqual(new Set(zonesOf[name]))
    }
  })

  test('the defaults of a table are valid for every game', () => {
    for (const name of gameNames) expect(games[name].refuseSettings({})).toBeNull()
  })

  test('a shoe of eight decks plays until fewer than 52 cards remain, a single deck for one round', () => {
    expect(isSpent(games.baccarat.shoe, 52)).toBe(false)
    expect(isSpent(games.baccarat.shoe, 51)).toBe(true)
    expect(isSpent(games.dragontiger.shoe, 51)).toBe(true)
    for (const name of ['holdem', 'niuniu'] as const) {
      expect(isSpent(games[name].shoe, 52)).toBe(false)
      expect(isSpent(games[name].shoe, 51)).toBe(true)
    }
  })

  test('an outcome settled by another game is a bug', () => {
    const { outcome } = games.dragontiger.deal(['KS', '7H'] satisfies Card[], { variant: 'standard', settings: {} })
    for (const name of ['baccarat', 'holdem', 'niuniu'] as const) {
      expect(() => games[name].settle(outcome, [], {})).toThrow(/its own game/)
    }
  })

  test('an outcome can be stored as JSON', () => {
    const seating = { hands: 2, settings: {}, button: 1 }
    for (const name of gameNames) {
      for (const variant of variantsOf[name]) {
        const { outcome } = games[name].deal(shuffled(deck, seededBytes(variant)), { ...seating, variant })
        expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome)
      }
    }
  })
})
