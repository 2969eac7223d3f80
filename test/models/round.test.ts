import fc from 'fast-check'
import { expect, test } from 'vitest'
import { enableWebhook, eventsFrom, setWebhook } from '../../src/services/casino/admin/webhook-settings.ts'
import { openTable, outcomeOf, theRound } from '../../src/services/casino/rounds/rounds.ts'
import { settleRound } from '../../src/services/casino/rounds/settlement.ts'
import { seatingAt } from '../../src/services/casino/simulator/exact.ts'
import { anOpenRound, aTenant, refuses } from '../support/worlds/people.ts'
import { aClock, testWorld } from '../support/worlds/world.ts'
import { agree } from './round-agreement.ts'
import { Change, Dispute, everyTransition, pick, reportOf, Transfer } from './round-commands.ts'
import { apply, type Command, type Model, pay, players, type Real } from './round-model.ts'
import {
  type Bets,
  baccarat,
  type Game,
  hasFolded,
  holdem,
  holdOf,
  money,
  niuniu,
  stakeOf,
  unit,
} from './slip-reference.ts'

/**
 * Rounds and slips by model: see round-model.ts. `MODEL_RUNS=10000` tries that many, another `MODEL_SEED` different
 * ones.
 */

/** Opens a round and places bets; a stake above the balance is refused and no bet of the request is stored. */
class Bet implements Command {
  readonly game: Game
  readonly slips: readonly (readonly [string, Bets])[]
  constructor(game: Game, slips: readonly (readonly [string, Bets])[]) {
    this.game = game
    this.slips = slips
  }
  check = () => true
  async run(model: Model, real: Real) {
    const slipOrders = this.slips.map(([username, bets]) => ({
      username,
      variant: this.game.variant,
      ...(this.game.holes ? { hole: this.game.holes[username] ?? '', folded: hasFolded(bets) } : {}),
      bets: Object.fromEntries(Object.entries(bets).map(([zone, amount]) => [zone, money(amount)])),
    }))
    const isCovered = this.slips.every(
      ([name, bets]) => stakeOf(bets) + holdOf(bets) <= (model.balances.get(name) ?? 0),
    )
    if (!isCovered)
      return void (await refuses('INSUFFICIENT_BALANCE', anOpenRound(real.tenant, this.game.tableId, slipOrders)))
    const id = await anOpenRound(real.tenant, this.game.tableId, slipOrders)
    for (const [name, bets] of this.slips) pay(model, name, -stakeOf(bets) - holdOf(bets))
    model.rounds.push({ id, game: this.game, slips: new Map(this.slips), status: 'open', revisions: [] })
    await agree(model, real)
  }
  toString = () => `bet ${this.game.tableId} ${JSON.stringify(this.slips)}`
}

class Settle implements Command {
  readonly which: number
  readonly outcome: number
  constructor(which: number, outcome: number) {
    this.which = which
    this.outcome = outcome
  }
  check = (model: Readonly<Model>) => model.rounds.some(({ status }) => status === 'open')
  async run(model: Model, real: Real) {
    const round = pick(
      model.rounds.filter(({ status }) => status === 'open'),
      this.which,
    )
    const outcome = round && pick(round.game.outcomes, this.outcome)
    if (!round || !outcome) throw new Error('an open round was checked for')
    const { store, clock } = real.world
    await store.write(async (tx) => {
      const { environment, table_id } = await theRound(tx, round.id)
      const table = await openTable(tx, environment, table_id)
      return settleRound(tx, table, round.id, outcomeOf(table, reportOf(outcome), seatingAt(table)))
    })
    apply(model, round, { at: await clock.now(), status: 'settled', outcome, rev: 1 })
    await agree(model, real)
  }
  toString = () => `settle ${this.which} ${this.outcome}`
}

class Wait implements Command {
  readonly hours: number
  constructor(hours: number) {
    this.hours = hours
  }
  check = () => true
  async run(_: Model, { world }: Real) {
    world.clock.add(`${this.hours}h`)
  }
  toString = () => `wait ${this.hours}h`
}

/** A round of each history, one after the other: random runs would miss some. */
function everyLife(game: Game): Command[] {
  const [zone = ''] = game.zones
  const third = (amount: number) => Math.floor(amount / 3) * unit
  const bet = (amount: number) =>
    new Bet(game, [
      ['amy', game === holdem ? { ANTE: third(amount), CALL: 2 * third(amount) } : { [zone]: amount * unit }],
    ])
  const settled = (amount = 20) => [bet(amount), new Settle(0, 0)]
  const [won, lost] = [0, game === niuniu ? 3 : 1]
  const voiding = new Change(0, null)
  return [
    ...[bet(20), new Change(0, won), voiding, new Change(0, won), voiding],
    ...[...settled(), new Change(0, lost), new Change(0, won), voiding],
    ...[...settled(), voiding],
    ...[...settled(), new Wait(25), new Change(0, lost), new Change(0, lost), voiding],
    ...[...settled(), new Wait(25), voiding],
    // The second time the winnings have left the wallet, so a correction would take it below zero.
    ...[...settled(100), new Transfer('amy', -580), new Change(0, lost), new Transfer('amy', 580), new Dispute(0)],
  ]
}

const index = fc.nat({ max: 11 })
/** Counted from the newest round, so that most rounds go through several changes. */
const recent = fc.nat({ max: 1 })
const heldBets = fc
  .tuple(
    fc.integer({ min: 1, max: 20 }),
    fc.constantFrom(true, true, false),
    fc.option(fc.integer({ min: 1, max: 40 })),
  )
  .map(([ante, calls, side]) => ({
    ANTE: ante * unit,
    ...(calls ? { CALL: 2 * ante * unit } : {}),
    ...(side === null ? {} : { AAB: side * unit }),
  }))
const freeBets = (game: Game) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...game.zones), fc.integer({ min: 1, max: 40 })), {
      selector: ([zone]) => zone,
      minLength: 1,
      maxLength: 4,
    })
    // Legs are in the order of the game's zones.
    .map((legs) =>
      Object.fromEntries(
        game.zones.flatMap((zone) => legs.filter(([each]) => each === zone).map(([, amount]) => [zone, amount * unit])),
      ),
    )
const betsAt = (game: Game): fc.Arbitrary<Bets> => (game === holdem ? heldBets : freeBets(game))
const betAt = (game: Game) =>
  fc.tuple(fc.option(betsAt(game), { freq: 3 }), fc.option(betsAt(game), { freq: 3 })).map(
    (both) =>
      new Bet(
        game,
        both.flatMap((bets, i) => (bets === null ? [] : [[players[i] ?? 'amy', bets] as const])),
      ),
  )

const commandsOf = (game: Game) => [
  betAt(game),
  fc.tuple(index, index).map(([which, outcome]) => new Settle(which, outcome)),
  fc.tuple(index, index).map(([which, outcome]) => new Settle(which, outcome)),
  fc.tuple(recent, index).map(([which, outcome]) => new Change(which, outcome)),
  fc.tuple(recent, index).map(([which, outcome]) => new Change(which, outcome)),
  recent.map((which) => new Change(which, null)),
  fc.nat({ max: 11 }).map((which) => new Dispute(which)),
  fc
    .tuple(fc.constantFrom(...players), fc.constantFrom(-400, -150, -20, 100, 300))
    .map(([name, amount]) => new Transfer(name, amount)),
  fc.constantFrom(1, 24, 25, 25).map((hours) => new Wait(hours)),
]

test.each([
  ['baccarat', baccarat, 7],
  ['Niu Niu', niuniu, 8],
  ["Hold'em", holdem, 9],
] as const)('rounds and slips of %s agree with the model after every step', async (_, game, seed) => {
  const world = await testWorld({ time: aClock('2026-03-02T10:00:00.000Z') })
  const visited = new Set<string>()
  const run = async (commands: Iterable<Command>) => {
    const tenant = await aTenant(world, { tables: [game.tableId] })
    await setWebhook(world.casino, tenant.code, { url: 'http://127.0.0.1:9/hook', events: eventsFrom('all') })
    await enableWebhook(world.casino, tenant.code)
    for (const username of players)
      await tenant.client.deposit({ body: { username, txnId: `first-${username}`, amount: '500', currency: 'USD' } })
    await fc.asyncModelRun(() => {
      const balances = new Map<string, number>(players.map((name) => [name, 500 * unit]))
      return {
        model: { balances, rounds: [], records: [], events: [] } satisfies Model as Model,
        real: { visited, world, tenant, transfers: 0 },
      }
    }, commands)
  }
  await run(everyLife(game))
  expect([...visited].toSorted()).toEqual(everyTransition)
  await fc.assert(fc.asyncProperty(fc.commands(commandsOf(game), { maxCommands: 24, size: 'max' }), run), {
    numRuns: Number(process.env['MODEL_RUNS'] ?? 12),
    seed: Number(process.env['MODEL_SEED'] ?? seed),
    endOnFailure: true,
  })
})
