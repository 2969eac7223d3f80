import type fc from 'fast-check'
import type { TestTenant } from '../support/worlds/people.ts'
import type { TestWorld } from '../support/worlds/world.ts'
import { type Bets, type Game, hasFolded, money, niuniu, type Outcome, settle, voided } from './slip-reference.ts'

/**
 * A model of rounds and slips: bet, settled, corrected, voided, disputed, in any order, with money moving in between.
 * It follows the tables of 1-tenant-api ("States and transitions") and rulebook 1.4 and 1.5; docs/decisions.md defines
 * the guardrails. After every step it is compared with GET /rounds, /bets, /bets/summary, /wallet/balance and the
 * queued webhooks.
 */

export interface Revision {
  readonly at: number
  readonly status: 'settled' | 'recalculated' | 'void'
  readonly outcome: Outcome | null
  readonly rev: number
}

export interface ModelRound {
  readonly id: string
  /** With the cards of the players after the deal. */
  game: Game
  /** By player, in the order of placing. */
  slips: ReadonlyMap<string, Bets>
  /** No-limit: those of the slips that belong to guests of the studio, who have no wallet. */
  guests?: ReadonlySet<string>
  status: 'open' | 'settled' | 'void' | 'disputed'
  readonly revisions: Revision[]
}

export interface Model {
  readonly balances: Map<string, number>
  readonly rounds: ModelRound[]
  /** Records in write order, as far as they can be predicted. */
  readonly records: object[]
  readonly events: {
    readonly event: string
    readonly round: ModelRound
    readonly revision: Revision
    readonly records: object[]
  }[]
}

export interface Real {
  /** Transitions tried in all runs together. */
  readonly visited: Set<string>
  readonly world: TestWorld
  readonly tenant: TestTenant
  transfers: number
}

export type Command = fc.AsyncCommand<Model, Real>

export const players = ['amy', 'bob'] as const
export const dayMs = 86_400_000

export const sumsOf = (name: string, bets: Bets, { outcome, status }: Revision) =>
  status === 'void' || outcome === null ? voided(bets) : settle(bets, outcome, name)
export const payoutOf = (name: string, bets: Bets, revision: Revision | undefined) =>
  revision ? sumsOf(name, bets, revision).payout : 0

/** Change of each balance by a round's next revision. */
export function deltas(round: ModelRound, next: Revision): Map<string, number> {
  const last = round.revisions.at(-1)
  const deltaOf = (name: string, bets: Bets) => sumsOf(name, bets, next).payout - payoutOf(name, bets, last)
  return new Map([...round.slips].map(([name, bets]) => [name, deltaOf(name, bets)]))
}

/** Rulebook 1.5 and 5: at Hold'em each record has its player's own code and cards, and a void has its own code. */
export function resultOf({ game }: ModelRound, name: string, bets: Bets, { outcome, status }: Revision) {
  const cardInfo = outcome?.cardInfo ?? ''
  if (!game.holes) return { code: outcome?.code ?? '', cardInfo }
  const own = outcome?.seats?.[name]?.code ?? (hasFolded(bets) ? 'fold' : outcome?.holdings?.[name]?.code)
  const code = status === 'void' ? 'void' : own
  // Rulebook 4: two groups at no-limit, where the board has only the dealt cards.
  if (outcome?.seats) return { code, cardInfo: `${cardInfo}|${game.holes[name]}` }
  return { code, cardInfo: cardInfo.replace('||', `|${game.holes[name]}|`) }
}

/** Rulebook 5.3: a guest's seat has the same arithmetic and no wallet. */
const isGuest = ({ guests }: ModelRound, name: string) => guests?.has(name) ?? false

export const recordOf = (round: ModelRound, name: string, bets: Bets, revision: Revision, delta: number) => {
  const sums = sumsOf(name, bets, revision)
  return {
    roundId: round.id,
    username: name,
    rev: revision.rev,
    status: revision.status,
    stake: money(sums.stake),
    ...(round.game === niuniu ? { hold: money(sums.hold) } : {}),
    ...(round.game.holes ? { rake: money(sums.rake), onsite: isGuest(round, name) } : {}),
    validStake: money(sums.validStake),
    rolling: money(sums.rolling),
    payout: money(sums.payout),
    winLoss: money(sums.payout - sums.stake - sums.hold),
    delta: money(delta),
    result: resultOf(round, name, bets, revision),
    bets: Object.fromEntries(Object.entries(sums.returns).map(([zone, back]) => [zone, money(back)])),
  }
}

export function pay({ balances }: Model, name: string, amount: number): void {
  balances.set(name, (balances.get(name) ?? 0) + amount)
}

export function apply(model: Model, round: ModelRound, next: Revision): void {
  const moved = deltas(round, next)
  const records = [...round.slips].map(([name, bets]) => recordOf(round, name, bets, next, moved.get(name) ?? 0))
  for (const [name, delta] of moved) if (!isGuest(round, name)) pay(model, name, delta)
  round.revisions.push(next)
  round.status = next.status === 'void' ? 'void' : 'settled'
  model.records.push(...records)
  const event = { settled: 'bet.settled', recalculated: 'round.corrected', void: 'round.voided' }[next.status]
  if (records.length > 0) model.events.push({ event, round, revision: next, records })
}

/**
 * Returns whether a correction or void of a settled round is allowed: within 24 hours, and without a balance below
 * zero.
 */
export function isLetThrough(model: Model, round: ModelRound, next: Revision): boolean {
  const first = round.revisions[0]
  if (first && next.at - first.at > dayMs) return false
  return [...deltas(round, next)].every(
    ([name, delta]) => isGuest(round, name) || (model.balances.get(name) ?? 0) + delta >= 0,
  )
}
