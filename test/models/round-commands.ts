import { expect } from 'vitest'
import { changeRound, disputeRound } from '../../src/services/casino/simulator/index.ts'
import { refuses } from '../support/worlds/people.ts'
import { agree } from './round-agreement.ts'
import {
  apply,
  type Command,
  isLetThrough,
  type Model,
  type ModelRound,
  type Real,
  type Revision,
} from './round-model.ts'
import { type Outcome, unit } from './slip-reference.ts'

/** Events of a round of any game: the source changes or disputes its result, and money moves in between. */

/** Report of the source: the cards, or the code alone if it did not name them. */
export const reportOf = ({ code, cardInfo, button }: Outcome) => ({
  ...(cardInfo === null ? { code: code ?? '' } : { cardInfo }),
  ...(button === undefined ? {} : { button }),
})

export const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length]
export const newest = <T>(list: readonly T[], index: number): T | undefined => list.at(-1 - (index % list.length))

/** A correction, or a void. */
export async function change(
  model: Model,
  { world, visited }: Real,
  round: ModelRound,
  to: Outcome | null,
): Promise<void> {
  const next: Revision = {
    at: await world.clock.now(),
    status: to === null ? 'void' : 'recalculated',
    outcome: to ?? round.revisions.at(-1)?.outcome ?? null,
    rev: round.revisions.length + 1,
  }
  const done = changeRound(world.casino, round.id, to === null ? { void: true } : { correct: reportOf(to) })
  if (round.status === 'open' && to !== null) {
    visited.add('recalculated refused when open')
    return void (await refuses('CONFLICT', done))
  }
  const { disputed, bets } = await done
  const isStanding = round.status === 'open' || (round.status === 'settled' && isLetThrough(model, round, next))
  expect([disputed === undefined, bets.length]).toEqual([isStanding, isStanding ? round.slips.size : 0])
  const tried = `${round.revisions.at(-1)?.status ?? 'bet'} -> ${next.status}`
  visited.add(isStanding ? tried : `${next.status} refused when ${round.status}`)
  if (isStanding) apply(model, round, next)
  else if (round.status === 'settled') round.status = 'disputed'
}

export class Change implements Command {
  readonly which: number
  readonly outcome: number | null
  constructor(which: number, outcome: number | null) {
    this.which = which
    this.outcome = outcome
  }
  check = (model: Readonly<Model>) => model.rounds.length > 0
  async run(model: Model, real: Real) {
    const round = newest(model.rounds, this.which)
    if (!round) throw new Error('a round was checked for')
    const to = this.outcome === null ? null : (pick(round.game.outcomes, this.outcome) ?? null)
    await change(model, real, round, to)
    await agree(model, real)
  }
  toString = () => `${this.outcome === null ? 'void' : 'correct'} ${this.which} ${this.outcome ?? ''}`
}

export class Dispute implements Command {
  readonly which: number
  constructor(which: number) {
    this.which = which
  }
  check = (model: Readonly<Model>) => model.rounds.length > 0
  async run(model: Model, real: Real) {
    const round = newest(model.rounds, this.which)
    if (!round) throw new Error('a round was checked for')
    const done = disputeRound(real.world.casino, round.id)
    if (round.status === 'open' || round.status === 'void') await refuses('CONFLICT', done)
    else {
      await done
      round.status = 'disputed'
    }
    await agree(model, real)
  }
  toString = () => `dispute ${this.which}`
}

export class Transfer implements Command {
  readonly name: string
  readonly amount: number
  constructor(name: string, amount: number) {
    this.name = name
    this.amount = amount
  }
  check = () => true
  async run(model: Model, real: Real) {
    const { client } = real.tenant
    const body = {
      username: this.name,
      txnId: `t-${real.transfers++}`,
      amount: String(Math.abs(this.amount)),
      currency: 'USD',
    }
    const before = model.balances.get(this.name) ?? 0
    const after = before + this.amount * unit
    if (after < 0) return void (await refuses('INSUFFICIENT_BALANCE', client.withdraw({ body })))
    await (this.amount > 0 ? client.deposit({ body }) : client.withdraw({ body }))
    model.balances.set(this.name, after)
    await agree(model, real)
  }
  toString = () => `transfer ${this.name} ${this.amount}`
}

/** All actions of a source, so that a run that tried too few fails. */
export const everyTransition = [
  'bet -> void',
  'recalculated -> recalculated',
  'recalculated -> void',
  'recalculated refused when disputed',
  'recalculated refused when open',
  'recalculated refused when settled',
  'recalculated refused when void',
  'settled -> recalculated',
  'settled -> void',
  'void refused when disputed',
  'void refused when settled',
  'void refused when void',
]
