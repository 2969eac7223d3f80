import { setTimeout as pause } from 'node:timers/promises'
import { seededBytes } from '../../../kit/ambient.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { callbacksIn, clean, type Sequence, sequenceOf } from './sequence.ts'
import { shrink } from './shrink.ts'

/** A handler under test. */
export interface Target {
  /** Resets the handler to its initial state. */
  reset(): Promise<void>
  /** Returns what the handler has done, as text that is compared. */
  probe(): Promise<string>
  /** Sends a callback. Returns whether the handler accepted it. */
  send(callback: number): Promise<boolean>
  /** Sends a callback, and closes the connection before the answer. */
  lose(callback: number): Promise<void>
}

/** End of one run: what the handler has done, and the callbacks that it never accepted. */
interface RunEnd {
  readonly state: string
  readonly refused: readonly number[]
}

/** A sequence that broke the handler, with both ends. */
export interface Breakage {
  readonly round: number
  readonly sequence: Sequence
  readonly expected: string
  readonly actual: string
  /** Callbacks that the handler never accepted, although it accepts them in the recorded order. */
  readonly refused: readonly number[]
}

export type Verdict =
  | { readonly status: 'passed'; readonly runs: number }
  | { readonly status: 'inconclusive'; readonly runs: number; readonly reason: string }
  | { readonly status: 'broken'; readonly runs: number; readonly breakage: Breakage }

/** Maximum number of times that a callback is sent again until it is accepted, as the platform would. */
const maxRedeliveries = 5
/** Minimum time that a handler has for a request whose connection was closed. */
const afterLossMs = 100
/** The same as a multiple of its slowest answer: the platform does not send again while a handler still works. */
const afterLossAnswers = 3
/** Number of runs of a sequence with parallel requests: a race does not happen every time. */
const raceRuns = 3

export interface TortureOptions {
  /** Number of callbacks. */
  readonly callbacks: number
  readonly seed: string
  readonly rounds: number
  readonly stop: AbortSignal
  onRound?(round: number): void
}

/**
 * Sends callbacks in other orders, repeatedly, late, at the same time and with lost answers. Compares what the handler
 * has done with the run in the recorded order. The first sequence that breaks it is shrunk.
 */
export async function torture(target: Target, options: TortureOptions): Promise<Verdict> {
  const { callbacks, seed, rounds, stop, onRound } = options
  const all = Array.from({ length: callbacks }, (_, i) => i)
  const trial = new Trial(target)
  const [first, second] = [await trial.run(clean(all)), await trial.run(clean(all))]
  const reason = reasonAgainst(first, second)
  if (reason !== undefined) return { status: 'inconclusive', runs: trial.runs, reason }
  for (let round = 0; round < rounds; round++) {
    if (stop.aborted) return { status: 'inconclusive', runs: trial.runs, reason: 'stopped before all rounds were run' }
    const sequence = sequenceOf(round, all, seededBytes(`${seed}/torture/${round}`))
    if (await trial.breaks(sequence)) {
      const shortest = await shrink(sequence, (candidate) => trial.breaks(candidate))
      return { status: 'broken', runs: trial.runs, breakage: await trial.explain(round, shortest) }
    }
    onRound?.(round + 1)
  }
  return { status: 'passed', runs: trial.runs }
}

/** Returns why no sequence can be compared with the recorded order; undefined if one can. */
function reasonAgainst(first: RunEnd, second: RunEnd): string | undefined {
  if (first.refused.length > 0)
    return `the handler does not accept ${countText(first.refused.length, 'callback')} in the recorded order`
  if (first.state !== second.state) return 'the probe prints another state after the same run, such as a time or an ID'
  return undefined
}

/** Runs of sequences against one handler. */
class Trial {
  runs = 0
  readonly #target: Target
  /** The slowest answer so far. */
  #slowestMs = 0
  /** Ends of clean runs, by their callbacks. */
  readonly #expected = new Map<string, RunEnd>()
  #last: { readonly sequence: Sequence; readonly end: RunEnd } | undefined

  constructor(target: Target) {
    this.#target = target
  }

  async run(sequence: Sequence): Promise<RunEnd> {
    this.runs += 1
    await this.#target.reset()
    const accepted = new Set<number>()
    for (const { how, callbacks } of sequence) {
      if (how === 'lost') {
        for (const callback of callbacks) await this.#target.lose(callback)
        await pause(Math.max(afterLossMs, afterLossAnswers * this.#slowestMs))
      } else await this.#sendAll(callbacks, accepted)
    }
    // The platform sends again what was not accepted.
    for (let again = 0; again < maxRedeliveries; again++)
      for (const callback of callbacksIn(sequence))
        if (!accepted.has(callback)) await this.#sendAll([callback], accepted)
    const refused = callbacksIn(sequence).filter((callback) => !accepted.has(callback))
    return { state: await this.#target.probe(), refused }
  }

  /** Returns whether a sequence ends differently from the recorded order of its callbacks. */
  async breaks(sequence: Sequence): Promise<boolean> {
    const expected = await this.#cleanEnd(sequence)
    // Without its predecessors, a callback may be one that the handler rightly refuses.
    if (expected.refused.length > 0) return false
    const isRace = sequence.some(({ how }) => how === 'together')
    for (let attempt = 0; attempt < (isRace ? raceRuns : 1); attempt++) {
      const end = await this.run(sequence)
      if (end.state === expected.state && end.refused.length === 0) continue
      this.#last = { sequence, end }
      return true
    }
    return false
  }

  async explain(round: number, sequence: Sequence): Promise<Breakage> {
    const expected = await this.#cleanEnd(sequence)
    const end = this.#last?.sequence === sequence ? this.#last.end : await this.run(sequence)
    return { round, sequence, expected: expected.state, actual: end.state, refused: end.refused }
  }

  async #cleanEnd(sequence: Sequence): Promise<RunEnd> {
    const callbacks = callbacksIn(sequence)
    const known = this.#expected.get(callbacks.join())
    if (known) return known
    const end = await this.run(clean(callbacks))
    this.#expected.set(callbacks.join(), end)
    return end
  }

  async #sendAll(callbacks: readonly number[], accepted: Set<number>): Promise<void> {
    const results = await Promise.all(
      callbacks.map(async (callback) => [callback, await this.#send(callback)] as const),
    )
    for (const [callback, isAccepted] of results) if (isAccepted) accepted.add(callback)
  }

  async #send(callback: number): Promise<boolean> {
    const startedMs = performance.now()
    try {
      return await this.#target.send(callback)
    } finally {
      this.#slowestMs = Math.max(this.#slowestMs, performance.now() - startedMs)
    }
  }
}
