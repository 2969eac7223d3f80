import { expect } from 'vitest'
import { changeRound } from '../../../src/services/casino/simulator/index.ts'
import { refuses } from '../../support/worlds/people.ts'
import { change, newest, pick } from '../round-commands.ts'
import { pay } from '../round-model.ts'
import { type Bets, money, stakeOf } from '../slip-reference.ts'
import { bigBlind, chip } from './no-limit-reference.ts'
import { agreeOnAll, viewOf } from './table-agreement.ts'
import {
  answer,
  beforeVoid,
  type Deck,
  decisions,
  type HandCommand,
  type HandModel,
  type HandReal,
  putSlip,
  showResult,
  sit,
  standUp,
} from './table-model.ts'
import { pass, playOut, tryTurn, type Wish } from './table-steps.ts'

/** Events at a dealt table, each followed by a check of all its views. */

const pageOf = ({ pages }: HandReal, name: string) => {
  const page = pages.get(name)
  if (!page) throw new Error(`${name} has no page`)
  return page
}
const idsOf = ({ table: { round } }: HandModel) => ({ roundId: round.id, tableId: round.game.tableId })

/** Time passes: until the next step of the dealer, or by the given duration. */
export class Pass implements HandCommand {
  readonly deck: Deck
  readonly ms: number | undefined
  constructor(deck: Deck, ms?: number) {
    this.deck = deck
    this.ms = ms
  }
  check = () => true
  async run(model: HandModel, real: HandReal) {
    await pass(model, real, this.deck, this.ms)
    await agreeOnAll(model, real)
  }
  toString = () => `pass ${this.ms ?? ''} ${this.deck.slice(0, 20).join(' ')}`
}

/** Bets at Bonus Poker before the cards; null cancels them. */
export class PlaceBets implements HandCommand {
  readonly name: string
  readonly bets: Bets | null
  constructor(name: string, bets: Bets | null) {
    this.name = name
    this.bets = bets
  }
  check = () => true
  async run(model: HandModel, real: HandReal) {
    const { table, balances } = model
    const { roundId, tableId } = idsOf(model)
    const bets = Object.fromEntries(Object.entries(this.bets ?? {}).map(([zone, amount]) => [zone, money(amount)]))
    const done = pageOf(real, this.name).bet({ params: { tableId }, body: { roundId, variant: 'thbp', bets } })
    const before = stakeOf(table.round.slips.get(this.name) ?? {})
    const after = stakeOf(this.bets ?? {})
    if (table.phase !== 'betting') await refuses('BETTING_CLOSED', done)
    else if ((balances.get(this.name) ?? 0) + before < after) await refuses('INSUFFICIENT_BALANCE', done)
    else {
      await done
      pay(model, this.name, before - after)
      putSlip(table, this.name, this.bets)
    }
    await agreeOnAll(model, real)
  }
  toString = () => `place ${this.name} ${JSON.stringify(this.bets)}`
}

/** A decision at Bonus Poker, for the current question or for another one. */
export class Decide implements HandCommand {
  readonly name: string
  readonly does: 'bet' | 'pass'
  readonly isToAnother: boolean
  constructor(name: string, does: 'bet' | 'pass', isToAnother = false) {
    this.name = name
    this.does = does
    this.isToAnother = isToAnother
  }
  check = ({ table }: Readonly<HandModel>) => table.variant === 'thbp'
  async run(model: HandModel, real: HandReal) {
    const { table, balances } = model
    const { roundId, tableId } = idsOf(model)
    const stage = decisions[table.decision] ?? decisions[0]
    const moment = this.isToAnother ? (stage.moment === 'hole' ? 'flop' : 'hole') : stage.moment
    const done = pageOf(real, this.name).decide({ params: { tableId }, body: { roundId, moment, does: this.does } })
    const isOwnDecision = table.phase === 'deciding' && !this.isToAnother && table.dealtIn.includes(this.name)
    const cost = stage.timesAnte * (table.round.slips.get(this.name)?.['ANTE'] ?? 0)
    if (!isOwnDecision || table.folded.has(this.name) || table.decided.has(this.name))
      await refuses('DECISION_CLOSED', done)
    else if (this.does === 'bet' && (balances.get(this.name) ?? 0) < cost) {
      await refuses('INSUFFICIENT_BALANCE', done)
      real.visited.add(`${stage.zone} not covered`)
    } else {
      await done
      real.visited.add(`${stage.zone} ${this.does}`)
      if (this.does === 'bet') pay(model, this.name, -cost)
      answer(table, this.name, this.does, await real.world.clock.now())
    }
    await agreeOnAll(model, real)
  }
  toString = () => `decide ${this.name} ${this.does}${this.isToAnother ? ' on another question' : ''}`
}

/** Docs/decisions.md, "Live tables": 20 to 200 big blinds, in whole chips. */
const isBuyIn = (chips: number) => chips >= 20 * bigBlind && chips <= 200 * bigBlind

/** A seat at no-limit with its chips; null leaves it. */
export class Sit implements HandCommand {
  readonly name: string
  readonly chips: number | null
  constructor(name: string, chips: number | null) {
    this.name = name
    this.chips = chips
  }
  check = ({ table }: Readonly<HandModel>) => table.variant === 'nlhe'
  async run(model: HandModel, real: HandReal) {
    const { table, balances } = model
    const { name, chips } = this
    const { roundId, tableId } = idsOf(model)
    const buyIn = chips === null ? null : money(chips)
    const done = pageOf(real, name).seat({ params: { tableId }, body: { roundId, buyIn } })
    const before = stakeOf(table.round.slips.get(name) ?? {})
    if (table.phase !== 'betting') await refuses('BETTING_CLOSED', done)
    else if (chips !== null && !isBuyIn(chips)) await refuses('BET_LIMIT', done)
    else if (chips !== null && chips % chip !== 0) await refuses('BET_REFUSED', done)
    else if ((balances.get(name) ?? 0) + before < (chips ?? 0)) await refuses('INSUFFICIENT_BALANCE', done)
    else {
      await done
      pay(model, name, before - (chips ?? 0))
      if (chips === null) standUp(model, name)
      else sit(model, { seat: await freeSeat(model, real, name), name, stack: chips })
    }
    await agreeOnAll(model, real)
  }
  toString = () => `sit ${this.name} ${this.chips}`
}

async function freeSeat({ table }: HandModel, { pages }: HandReal, name: string): Promise<number> {
  const { round } = await viewOf(pages, table, name)
  const seat = round?.seats.find(({ isMe }) => isMe)?.seat ?? 0
  expect(seat).toBeGreaterThanOrEqual(1)
  expect(seat).toBeLessThanOrEqual(9)
  expect(table.taken.filter((each) => each.seat === seat && each.name !== name)).toEqual([])
  return seat
}

/** The next player to act performs it, if it is a player's turn. */
export class Turn implements HandCommand {
  readonly wish: Wish
  constructor(wish: Wish) {
    this.wish = wish
  }
  check = ({ table }: Readonly<HandModel>) => table.variant === 'nlhe'
  async run(model: HandModel, real: HandReal) {
    await tryTurn(model, real, this.wish)
    await agreeOnAll(model, real)
  }
  toString = () => `turn ${JSON.stringify(this.wish)}`
}

/** A hand from its deal to its last action. Without given actions the players are silent. */
export class PlayOut implements HandCommand {
  readonly deck: Deck
  readonly wishes: readonly Wish[]
  constructor(deck: Deck, wishes: readonly Wish[]) {
    this.deck = deck
    this.wishes = wishes
  }
  check = ({ table }: Readonly<HandModel>) => table.variant === 'nlhe' && table.phase !== 'result'
  async run(model: HandModel, real: HandReal) {
    if (model.table.phase === 'betting') await pass(model, real, this.deck)
    await agreeOnAll(model, real)
    await playOut(model, real, this.deck, this.wishes)
    await agreeOnAll(model, real)
  }
  toString = () => `play out ${JSON.stringify(this.wishes)} ${this.deck.slice(0, 20).join(' ')}`
}

/** The source corrects or voids a hand, also one in progress. */
export class Changed implements HandCommand {
  readonly which: number
  readonly outcome: number | null
  constructor(which: number, outcome: number | null) {
    this.which = which
    this.outcome = outcome
  }
  check = () => true
  async run(model: HandModel, real: HandReal) {
    const { table } = model
    const round = newest(model.rounds, this.which)
    if (!round) throw new Error('a table has a round')
    const to = this.outcome === null ? null : (pick(round.game.outcomes, this.outcome) ?? null)
    const isDealing = round === table.round && round.status === 'open'
    if (isDealing && to === null) {
      real.visited.add(`${table.variant} voided while ${table.phase}`)
      beforeVoid(model)
    }
    await change(model, real, round, to)
    if (isDealing && to === null) showResult(model, await real.world.clock.now())
    await agreeOnAll(model, real)
  }
  toString = () => `${this.outcome === null ? 'void' : 'correct'} ${this.which} ${this.outcome ?? ''}`
}

/** A correction with a duplicate card: refused, and nothing is changed. */
export class Misread implements HandCommand {
  readonly which: number
  constructor(which: number) {
    this.which = which
  }
  check = () => true
  async run(model: HandModel, real: HandReal) {
    const round = newest(model.rounds, this.which)
    const { cardInfo = null, button = 1 } = round?.revisions.at(-1)?.outcome ?? {}
    const [name = ''] = round?.slips.keys() ?? []
    const held = round?.game.holes?.[name]
    if (!round || !cardInfo || held === undefined || round.status === 'void') return
    const twice = { cardInfo: held.slice(0, 2) + cardInfo.slice(2), button }
    await refuses('INVALID_PARAMETER', changeRound(real.world.casino, round.id, { correct: twice }))
    real.visited.add('a card twice')
    await agreeOnAll(model, real)
  }
  toString = () => `misread ${this.which}`
}
