import fc from 'fast-check'
import { expect, test } from 'vitest'
import { enableWebhook, eventsFrom, setWebhook } from '../../../src/services/casino/admin/webhook-settings.ts'
import { setLive } from '../../../src/services/casino/live/switches.ts'
import { aTenant } from '../../support/worlds/people.ts'
import { aClock, testWorld } from '../../support/worlds/world.ts'
import { Dispute, everyTransition, Transfer } from '../round-commands.ts'
import { players } from '../round-model.ts'
import { unit } from '../slip-reference.ts'
import { wholeDeck } from './poker-reference.ts'
import { agreeOnAll } from './table-agreement.ts'
import { Changed, Decide, Misread, Pass, PlaceBets, PlayOut, Sit, Turn } from './table-commands.ts'
import { aTable, type Deck, type HandCommand, type HandModel, type HandReal, type Table } from './table-model.ts'
import { dealTables, openPages, type Wish } from './table-steps.ts'

/**
 * Hands of Bonus Poker and no-limit by model: see table-model.ts. `MODEL_RUNS=10000` tries that many histories, another
 * `MODEL_SEED` different ones.
 */

const shuffled = (cards: readonly string[]) =>
  fc.shuffledSubarray([...cards], { minLength: cards.length, maxLength: cards.length })
const others = (first: readonly string[]) => wholeDeck.filter((card) => !first.includes(card))
const starting = (cards: string): Deck => [...cards.split(' '), ...others(cards.split(' '))]

/** With one player: player, dealer, player, dealer, then the board. Rulebook 5.2: TB2, TB6 and TB3. */
const straight = starting('9H AS 8H KC 7H 6C TD 2S KD')
const aces = starting('AS AD AH AC KC 9H 6D 4S 2C')
const beaten = starting('JD QD JC 4C QS 5H 3C 8D 2H')
/** With six seats: no player's cards are better than the board. */
const shared = starting('2S 2H 2D 2C 3S 3H 3D 3C 4S 4H 4D 4C TS JS QS KS AS')
const high = wholeDeck.filter((card) => 'TJQKA'.includes(card.charAt(0)))
const decks: fc.Arbitrary<Deck> = fc.oneof(
  shuffled(wholeDeck),
  // Many straights, ties and pairs in the hand.
  shuffled(high).map((first) => [...first, ...others(first)]),
  fc.constantFrom(straight, aces, beaten, shared),
)

/** All events of a table and its hands, so that a run that tried too few fails. */
const everyStep = {
  thbp: [
    ...[
      'FLOP bet',
      'FLOP not covered',
      'FLOP pass',
      'RIVER bet',
      'RIVER pass',
      'TURN bet',
      'TURN pass',
      'a card twice',
    ],
    ...['FLOP silent', 'RIVER silent', 'TURN silent'],
    ...['thbp betting', 'thbp dealing', 'thbp deciding', 'thbp result', 'thbp result void'],
    ...['thbp voided while betting', 'thbp voided while dealing', 'thbp voided while deciding'],
  ],
  nlhe: [
    ...['a card twice', 'a guest acts', 'a player is silent', 'call', 'check', 'fold', 'raise'],
    ...['call refused', 'check refused', 'fold refused', 'raise refused'],
    ...['nlhe betting', 'nlhe dealing', 'nlhe deciding', 'nlhe result', 'nlhe result void'],
    ...['nlhe voided while betting', 'nlhe voided while dealing', 'nlhe voided while deciding'],
  ],
} as const

const correct = (to: number, which = 0) => new Changed(which, to)
const voiding = (which = 0) => new Changed(which, null)
const day = 25 * 3_600_000
const away = 61_000

/** Hands of each history: random runs would miss some. `hand` is settled. */
function everyLife(bet: readonly HandCommand[], hand: readonly HandCommand[], deck: Deck): HandCommand[][] {
  const next = new Pass(deck)
  const shown = hand.slice(0, -1)
  return [
    [...bet, correct(0), voiding(), correct(0), voiding(), next, ...hand, voiding()],
    [...hand, correct(1), new Misread(0), correct(2), correct(3), correct(0), voiding()],
    [...hand, new Pass(deck, day), correct(1, 1), correct(1, 1), voiding(1)],
    [...hand, new Pass(deck, day), voiding(1), new Dispute(0), new Dispute(1)],
    // Without a player, for viewers. No cards for more than a minute: without bets, with them, at a decision.
    [next, next, next, new Pass(deck, 20_000 + away), ...bet, new Pass(deck, 20_000 + away), next],
    [...bet, next, new Pass(deck, 20_000 + away), next],
    // At the end the hand is settled, however late.
    [...shown, new Pass(deck, away), next],
    // Voided by the source: at a decision, and when the cards are shown.
    [...bet, next, voiding(), next, ...shown, voiding(), next],
  ]
}

const passes = (deck: Deck) => [1, 2, 3, 4].map(() => new Pass(deck))
const bonusBet = [new PlaceBets('amy', { ANTE: 20 * unit, BONUS: 5 * unit })]
const bonusLives = [
  ...everyLife(
    bonusBet,
    [...bonusBet, new Pass(straight), ...[0, 1, 2].map(() => new Decide('amy', 'bet')), new Pass(straight)],
    straight,
  ),
  // A missing action is a fold at first, and a check later.
  [...bonusBet, new PlaceBets('bob', { ANTE: 9 * unit }), new Pass(aces), new Decide('bob', 'bet'), ...passes(aces)],
  [...bonusBet, new Pass(aces), new Decide('amy', 'bet'), new Pass(aces), new Decide('amy', 'bet'), new Pass(aces)],
  // The winnings have left the wallet, so a correction would take it below zero.
  [
    ...[
      new PlaceBets('bob', { ANTE: 40 * unit, BONUS: unit }),
      new PlaceBets('amy', { ANTE: 7 * unit }),
      new Pass(aces),
    ],
    ...[new Decide('amy', 'pass'), new Decide('amy', 'bet'), new Decide('bob', 'bet', true), new Decide('bob', 'bet')],
    ...[new Decide('bob', 'pass'), new Decide('bob', 'pass'), new Pass(aces), new Transfer('bob', -400)],
    ...[1, 2, 3].map((to) => correct(to)),
  ],
  [new PlaceBets('amy', { ANTE: 40 * unit }), new Transfer('amy', -400), new Pass(beaten), new Decide('amy', 'bet')],
]
const wish = (does: Wish['does'], size: Wish['size'] = 'least', isTriedOutOfTurn = false) => ({
  ...{ does, size, isTriedOutOfTurn },
})
const seats = [new Sit('amy', 100 * unit), new Sit('bob', 40 * unit)]
const noLimitHand = (deck: Deck, ...wishes: Wish[]) => [...seats, new PlayOut(deck, wishes), new Pass(deck)]
const noLimitLives = [
  ...everyLife(
    seats,
    noLimitHand(
      ...([shared, wish('check', 'least', true), wish('call'), wish('fold'), wish('raise', 'broken')] as const),
      ...[wish('call'), wish('call'), wish('check')],
    ),
    shared,
  ),
  [...noLimitHand(aces), new Pass(aces), ...noLimitHand(straight, wish('raise', 'some'), wish('raise', 'all'))],
  noLimitHand(beaten, wish('fold')),
]

const whole = (min: number, max: number) => fc.integer({ min, max }).map((amount) => amount * unit)
const name = fc.constantFrom(...players)
const recent = fc.nat({ max: 1 })
const aWish = fc.record<Wish>({
  does: fc.constantFrom('fold', 'check', 'call', 'call', 'call', 'raise', 'raise'),
  size: fc.constantFrom('below', 'least', 'some', 'some', 'all', 'above', 'broken'),
  isTriedOutOfTurn: fc.constantFrom(false, false, true),
})
const wishes = fc.array(aWish, { maxLength: 6 })
const toPass = fc.tuple(decks, fc.constantFrom(undefined, undefined, undefined, 7_000, 45_000, 90_000, day))
const usual = [
  toPass.map(([deck, ms]) => new Pass(deck, ms)),
  decks.map((deck) => new Pass(deck)),
  decks.map((deck) => new Pass(deck)),
  fc.tuple(recent, fc.nat({ max: 3 })).map(([which, to]) => correct(to, which)),
  fc.tuple(recent, fc.nat({ max: 3 })).map(([which, to]) => correct(to, which)),
  recent.map(voiding),
  recent.map((which) => new Misread(which)),
  fc.nat({ max: 5 }).map((which) => new Dispute(which)),
  fc.tuple(name, fc.constantFrom(-400, -150, -20, 100, 300)).map(([who, amount]) => new Transfer(who, amount)),
]
const bonusBets = fc
  .tuple(whole(1, 40), fc.option(whole(1, 40)))
  .map(([ante, bonus]) => ({ ANTE: ante, ...(bonus === null ? {} : { BONUS: bonus }) }))
const placing = fc.tuple(name, fc.option(bonusBets, { freq: 8 })).map(([who, bets]) => new PlaceBets(who, bets))
const deciding = fc
  .tuple(name, fc.constantFrom<'bet' | 'pass'>('bet', 'bet', 'bet', 'pass'), fc.constantFrom(false, false, false, true))
  .map(([who, does, isToAnother]) => new Decide(who, does, isToAnother))
const buyIns = fc.oneof(
  whole(40, 300),
  fc.constantFrom(null, 39.99 * unit, 400.01 * unit, 100.001 * unit, 66.67 * unit),
)
const sitting = fc.tuple(name, buyIns).map(([who, chips]) => new Sit(who, chips))
const commands = {
  thbp: [...usual, placing, placing, placing, deciding, deciding, deciding, deciding],
  nlhe: [
    ...[...usual, sitting, sitting, sitting],
    ...[1, 2].map(() => fc.tuple(decks, wishes).map(([deck, all]) => new PlayOut(deck, all))),
    aWish.map((one) => new Turn(one)),
  ],
}

async function aHall(table: Table['variant'], visited: Set<string>) {
  const tableId = { thbp: 'HE-02', nlhe: 'HE-03' }[table]
  const closing: (() => Promise<void>)[] = []
  const time = aClock('2026-03-02T10:00:00.000Z')
  const world = await testWorld({ time, cleanUp: (work) => void closing.push(work) })
  const tenant = await aTenant(world, { tables: [tableId] })
  await setWebhook(world.casino, tenant.code, { url: 'http://127.0.0.1:9/hook', events: eventsFrom('all') })
  await enableWebhook(world.casino, tenant.code)
  for (const username of players)
    await tenant.client.deposit({ body: { username, txnId: `first-${username}`, amount: '500', currency: 'USD' } })
  await setLive(world.casino, true)
  const real: HandReal = { visited, world, tenant, transfers: 0, pages: new Map() }
  await openPages(real)
  await dealTables(real)
  const { view } = (await real.pages.get('amy')?.table({ params: { tableId } })) ?? {}
  const model: HandModel = {
    ...{ balances: new Map(players.map((each) => [each, 500 * unit])), rounds: [], records: [], events: [] },
    table: aTable(table, view?.round?.roundId ?? '', time.now()),
  }
  model.rounds.push(model.table.round)
  await agreeOnAll(model, real)
  return { model, real, close: () => Promise.all(closing.map((work) => work())) }
}

test.each([
  ['Bonus Poker', 'thbp', bonusLives, 10],
  ["no-limit Hold'em", 'nlhe', noLimitLives, 11],
] as const)('dealt hands of %s agree with the model after every step', async (_, table, lives, seed) => {
  const visited = new Set<string>()
  const run = async (all: Iterable<HandCommand>) => {
    const { close, ...hall } = await aHall(table, visited)
    await fc.asyncModelRun(() => hall, all).finally(close)
  }
  for (const life of lives) await run(life)
  expect([...visited]).toEqual(expect.arrayContaining([...everyTransition, ...everyStep[table]]))
  await fc.assert(fc.asyncProperty(fc.commands(commands[table], { maxCommands: 30, size: 'max' }), run), {
    numRuns: Number(process.env['MODEL_RUNS'] ?? 3),
    seed: Number(process.env['MODEL_SEED'] ?? seed),
    endOnFailure: true,
  })
})
