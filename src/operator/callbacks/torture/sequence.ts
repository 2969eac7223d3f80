import { type Bytes, drawBelow, shuffled } from '../../../domain/games/shuffle.ts'

/** One step of a sequence. Callbacks are named by their place in the recorded order. */
export interface SequenceStep {
  /** `lost`: the connection is closed before the answer. `together`: at the same time. */
  readonly how: 'send' | 'lost' | 'together'
  readonly callbacks: readonly number[]
}

export type Sequence = readonly SequenceStep[]

const send = (callback: number): SequenceStep => ({ how: 'send', callbacks: [callback] })
const lost = (callback: number): SequenceStep => ({ how: 'lost', callbacks: [callback] })
const together = (...callbacks: number[]): SequenceStep => ({ how: 'together', callbacks })

/** The recorded order, each callback once. */
export const clean = (callbacks: readonly number[]): Sequence => callbacks.map(send)

/** Rounds in their order: one of each kind first, then mixtures. */
const kinds: readonly ((callbacks: readonly number[], bytes: Bytes) => Sequence)[] = [
  (callbacks) => callbacks.flatMap((each) => [send(each), send(each)]),
  (callbacks) => clean(callbacks.toReversed()),
  (callbacks) => [...clean(callbacks), ...clean(callbacks)],
  (callbacks) => callbacks.flatMap((each) => [lost(each), send(each)]),
  (callbacks) => callbacks.map((each) => together(each, each)),
  (callbacks) => (callbacks.length < 2 ? clean(callbacks) : [together(...callbacks)]),
  (callbacks, bytes) => clean(shuffled(callbacks, bytes)),
]

/** Number of rounds after which every kind of disturbance was tried. */
export const minRounds = kinds.length

/** Returns the sequence of a round. */
export function sequenceOf(round: number, callbacks: readonly number[], bytes: Bytes): Sequence {
  return kinds[round]?.(callbacks, bytes) ?? mixed(callbacks, bytes)
}

/** Another order, with some callbacks twice, late, lost, or at the same time as their neighbor. */
function mixed(callbacks: readonly number[], bytes: Bytes): Sequence {
  const late: SequenceStep[] = []
  const steps = shuffled(callbacks, bytes).flatMap((each): SequenceStep[] => {
    const chance = drawBelow(6, bytes)
    if (chance === 0) return [send(each), send(each)]
    if (chance === 1) return [lost(each), send(each)]
    if (chance === 2) return [together(each, each)]
    if (chance === 3) late.push(send(each))
    return [send(each)]
  })
  return [...steps, ...late]
}

/** Returns the callbacks of a sequence, in the recorded order. */
export const callbacksIn = (sequence: Sequence): number[] =>
  [...new Set(sequence.flatMap(({ callbacks }) => callbacks))].sort((a, b) => a - b)

/** Describes the steps for people. `nameOf` names a callback. */
export function inWords(sequence: Sequence, nameOf: (callback: number) => string): string[] {
  const sent = new Set<number>()
  return sequence.map(({ how, callbacks }) => {
    const [first = 0] = callbacks
    const isAgain = sent.has(first)
    for (const callback of callbacks) sent.add(callback)
    const name = nameOf(first)
    if (how === 'lost')
      return `Send ${name}${isAgain ? ' again' : ''}, and close the connection before the answer, so that it is sent again`
    if (how === 'send') return `Send ${name}${isAgain ? ' again' : ''}`
    const names = [...new Set(callbacks)].map(nameOf)
    if (names.length === 1)
      return `Send ${name} ${callbacks.length === 2 ? 'twice' : `${callbacks.length} times`} at the same time`
    return `Send at the same time: ${names.join(', ')}`
  })
}
