import type { Sequence, SequenceStep } from './sequence.ts'

/** Maximum number of runs that shrinking takes. */
const maxRuns = 200

/**
 * Returns a shortest sequence that still breaks: no step can be removed or made simpler. Parts are removed in halves, quarters
 * and so on, then each step is replaced by simpler ones.
 */
export async function shrink(sequence: Sequence, breaks: (sequence: Sequence) => Promise<boolean>): Promise<Sequence> {
  let runs = 0
  const stillBreaks = async (candidate: Sequence) => {
    if (candidate.length === 0 || runs >= maxRuns) return false
    runs++
    return breaks(candidate)
  }
  let current = sequence
  for (let isSmaller = true; isSmaller; ) {
    const before = current
    current = await withoutParts(current, stillBreaks)
    current = await simplified(current, stillBreaks)
    isSmaller = current !== before
  }
  return current
}

type Test = (sequence: Sequence) => Promise<boolean>

async function withoutParts(sequence: Sequence, stillBreaks: Test): Promise<Sequence> {
  let current = sequence
  for (let size = Math.ceil(current.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < current.length; ) {
      const candidate = [...current.slice(0, at), ...current.slice(at + size)]
      if (await stillBreaks(candidate)) current = candidate
      else at += size
    }
  }
  return current
}

async function simplified(sequence: Sequence, stillBreaks: Test): Promise<Sequence> {
  let current = sequence
  for (let at = 0; at < current.length; at++) {
    for (const simpler of simplerThan(current[at])) {
      const candidate = [...current.slice(0, at), ...simpler, ...current.slice(at + 1)]
      if (!(await stillBreaks(candidate))) continue
      current = candidate
      break
    }
  }
  return current
}

/** Returns replacements of a step, the simplest first. */
function simplerThan(step: SequenceStep | undefined): readonly SequenceStep[][] {
  if (step === undefined || step.how === 'send') return []
  const { callbacks } = step
  const one = callbacks.map((callback): SequenceStep => ({ how: 'send', callbacks: [callback] }))
  if (step.how === 'lost') return [one]
  const fewer =
    callbacks.length <= 2 ? [] : callbacks.map((_, i) => [{ ...step, callbacks: callbacks.toSpliced(i, 1) }])
  return [...one.map((each) => [each]), one, ...fewer]
}
