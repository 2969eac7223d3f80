import type { TableSettings } from '../../../domain/games/game.ts'
import { isWrong, type Settled, type UncheckedReason } from '../../../domain/reconcile/settlement/recorded.ts'
import {
  agreedSettings,
  bestFitting,
  type CandidateSettings,
  type Fitting,
  informsOf,
  mustBeStated,
  nothingFits,
  settingsIn,
  settingsText,
} from '../../../domain/reconcile/settlement/table-rules.ts'
import { namesOf } from './recorded-row.ts'
import { type ReadSlip, type SettledSlip, settleSlip } from './rounds.ts'

/** Counts of settled slips, and decisions about tables whose settings were not stated. */

/** The result of one slip. */
export interface SlipOutcome {
  readonly slip: ReadSlip
  readonly outcomes: readonly Settled[]
}

/** Settings of a table, and where they are from. */
export interface UsedSettings {
  readonly tableId: string
  readonly settings: TableSettings
  readonly from: 'stated' | 'slips'
  /** Number of slips that agree on settings that were not stated. */
  readonly slips: number
}

export interface GameCount {
  readonly game: string
  readonly variant: string
  slips: number
  revisions: number
  wrong: number
  unchecked: number
}

export interface Tally {
  readonly games: Map<string, GameCount>
  readonly wrong: SlipOutcome[]
  readonly unchecked: Map<UncheckedReason, { slips: number; readonly examples: string[]; readonly tables: Set<string> }>
  readonly tables: UsedSettings[]
  /** Slips with an open break that were checked completely, right or wrong. */
  readonly cleared: Set<string>
  slips: number
  revisions: number
}

/** Slips of a table that the defaults do not explain, until all are known. */
interface OpenTable {
  readonly fitting: Fitting
  readonly open: SlipOutcome[]
  /** Slips of the day, which are no evidence from other days. */
  readonly own: Set<string>
  /** No-limit: rounds of the hands whose rake fits the stakes, and slips of those that fit all but the stakes. */
  readonly rakedHands: Set<string>
  readonly byStakes: SlipOutcome[]
  readonly openHands: Set<string>
}

/** Number of slips named for each reason. */
const maxExamples = 20

export class DayTally implements Tally {
  readonly games = new Map<string, GameCount>()
  readonly wrong: SlipOutcome[] = []
  readonly unchecked: Tally['unchecked'] = new Map()
  readonly tables: UsedSettings[] = []
  readonly cleared = new Set<string>()
  /** Settings that would make slips of a table right, on which its slips do not agree. */
  readonly possible = new Map<string, TableSettings>()
  slips = 0
  revisions = 0
  readonly #stated: ReadonlyMap<string, TableSettings>
  readonly #watched: ReadonlySet<string>
  readonly #open = new Map<string, OpenTable>()
  readonly #used = new Set<string>()

  constructor(stated: ReadonlyMap<string, TableSettings>, watched: ReadonlySet<string>) {
    this.#stated = stated
    this.#watched = watched
  }

  settingsOf(tableId: string): TableSettings {
    return this.#stated.get(tableId) ?? {}
  }

  /** Adds a settled slip. One that the defaults of its table do not explain waits for the others. */
  add({ slip, outcomes, isByStakes }: SettledSlip): void {
    const { tableId, variant, game } = namesOfSlip(slip)
    const stated = this.#stated.get(tableId)
    if (stated && !this.#used.has(tableId)) {
      this.#used.add(tableId)
      this.tables.push({ tableId, settings: stated, from: 'stated', slips: 0 })
    }
    if (stated || (game !== 'niuniu' && variant !== 'nlhe')) this.#count({ slip, outcomes })
    else if (variant === 'nlhe') this.#addSeat({ slip, outcomes }, tableId, isByStakes)
    else this.#addNiuniu({ slip, outcomes }, tableId)
  }

  #tableOf(tableId: string): OpenTable {
    const known = this.#open.get(tableId)
    if (known) return known
    const table = {
      ...{ fitting: nothingFits(), open: [], own: new Set<string>() },
      ...{ rakedHands: new Set<string>(), byStakes: [], openHands: new Set<string>() },
    }
    this.#open.set(tableId, table)
    return table
  }

  #addNiuniu(one: SlipOutcome, tableId: string): void {
    const table = this.#tableOf(tableId)
    table.own.add(one.slip.slipId)
    if (one.outcomes.some(isWrong)) {
      table.open.push(one)
      return
    }
    countInforming(one.slip, table.fitting)
    this.#count(one)
  }

  #addSeat(one: SlipOutcome, tableId: string, isByStakes: boolean): void {
    const table = this.#tableOf(tableId)
    if (isByStakes) {
      table.byStakes.push(one)
      table.openHands.add(roundOf(one.slip))
      return
    }
    const isWhole = one.outcomes.every(({ unchecked }) => unchecked === null) && !one.outcomes.some(isWrong)
    const isRaked = one.slip.revisions.some(({ read }) => !('unreadable' in read) && read.rake > 0n)
    if (isWhole && isRaked) table.rakedHands.add(roundOf(one.slip))
    this.#count(one)
  }

  /** Returns the tables whose slips of the day do not decide about their settings. */
  undecidedTables(): string[] {
    return [...this.#open].flatMap(([tableId, { open, fitting }]) =>
      open.length > 0 && agreedSettings(candidatesOf(open), fitting) === undefined ? [tableId] : [],
    )
  }

  /**
   * Decides about the tables whose slips the defaults do not explain. `history` has slips of other days, which are evidence for the
   * settings and nothing else.
   */
  conclude(history: ReadonlyMap<string, readonly ReadSlip[]> = new Map()): void {
    for (const [tableId, table] of this.#open) {
      this.#concludeNiuniu(tableId, table, history.get(tableId) ?? [])
      this.#concludeStakes(table)
    }
    this.#open.clear()
  }

  #concludeNiuniu(tableId: string, { open, own, fitting }: OpenTable, history: readonly ReadSlip[]): void {
    if (open.length === 0) return
    const evidence = [...open]
    const all = { ...fitting }
    const counted = new Set(own)
    for (const slip of history) {
      if (counted.has(slip.slipId)) continue
      counted.add(slip.slipId)
      const outcomes = settleSlip(slip, {})
      if (outcomes.some(isWrong)) evidence.push({ slip, outcomes })
      else countInforming(slip, all)
    }
    const settings = agreedSettings(candidatesOf(evidence), all)
    if (settings === undefined) {
      const settingsThatFit = bestFitting(candidatesOf(open))
      if (settingsThatFit) this.possible.set(tableId, settingsThatFit)
      for (const one of open) this.#count(one)
      return
    }
    let agreeing = 0
    for (const { slip } of open) {
      const outcomes = settleSlip(slip, settings)
      const isFit = !outcomes.some(isWrong)
      if (isFit) agreeing++
      this.#count({ slip, outcomes: isFit && mustBeStated(settings) ? outcomes.map(unstated) : outcomes })
    }
    this.tables.push({ tableId, settings, from: 'slips', slips: agreeing })
  }

  /**
   * Counts a rake that contradicts the stakes as wrong if the other hands of the table fit them. Otherwise the actual
   * stakes may differ.
   */
  #concludeStakes({ byStakes, rakedHands, openHands }: OpenTable): void {
    const isProven = rakedHands.size >= 4 * openHands.size
    for (const one of byStakes) {
      const outcomes = one.outcomes.map(
        (each): Settled =>
          isProven || each.unchecked !== null ? each : { ...each, differences: [], unchecked: 'STAKES_UNKNOWN' },
      )
      this.#count({ ...one, outcomes })
    }
  }

  #count(one: SlipOutcome): void {
    const { slip, outcomes } = one
    const { game, variant, tableId } = namesOfSlip(slip)
    const key = `${game} ${variant}`
    const count = this.games.get(key) ?? { game, variant, slips: 0, revisions: 0, wrong: 0, unchecked: 0 }
    this.games.set(key, count)
    this.slips += 1
    this.revisions += outcomes.length
    count.slips += 1
    count.revisions += outcomes.length
    const reasons = new Set(outcomes.flatMap(({ unchecked }) => unchecked ?? []))
    if (outcomes.some(isWrong)) {
      count.wrong += 1
      this.wrong.push(one)
    }
    if (reasons.size > 0) count.unchecked += 1
    for (const reason of reasons) {
      const known = this.unchecked.get(reason) ?? { slips: 0, examples: [], tables: new Set<string>() }
      this.unchecked.set(reason, known)
      known.slips += 1
      known.tables.add(tableId)
      if (known.examples.length < maxExamples) known.examples.push(slip.slipId)
    }
    if (reasons.size === 0 && this.#watched.has(slip.slipId)) this.cleared.add(slip.slipId)
  }
}

function countInforming({ revisions }: ReadSlip, fitting: Fitting): void {
  for (const { read } of revisions) {
    if ('unreadable' in read) continue
    const informs = informsOf(read)
    for (const name of ['commission', 'holdFactor', 'specialHands'] as const) if (informs[name]) fitting[name]++
  }
}

/** Returns the settings read from slips that the defaults do not explain, with the number of slips that fit each. */
function candidatesOf(open: readonly SlipOutcome[]): CandidateSettings[] {
  const known = new Map<string, TableSettings>()
  for (const { slip } of open)
    for (const { read } of slip.revisions)
      if (!('unreadable' in read)) for (const settings of settingsIn(read)) known.set(settingsText(settings), settings)
  return [...known.values()].map((settings) => {
    const fitting = open.filter(({ slip }) => !settleSlip(slip, settings).some(isWrong))
    const named = fitting.filter(({ slip }) =>
      slip.revisions.some(({ read }) => !('unreadable' in read) && informsOf(read).specialHands),
    )
    return { settings, fits: fitting.length, named: named.length }
  })
}

const unstated = (settled: Settled): Settled => ({ ...settled, unchecked: settled.unchecked ?? 'TABLE_RULES_UNSTATED' })

const roundOf = ({ revisions }: ReadSlip): string => {
  const [first] = revisions
  return first && !('unreadable' in first.read) ? first.read.roundId : ''
}

export function namesOfSlip({ revisions }: ReadSlip): { game: string; variant: string; tableId: string } {
  for (const { read } of revisions) if (!('unreadable' in read)) return read
  const [first] = revisions
  return first ? namesOf(first.row) : { game: '', variant: '', tableId: '' }
}
