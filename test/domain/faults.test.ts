import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  callbackFaultOf,
  certainty,
  countMatch,
  type Fault,
  faultKinds,
  isCallbackFault,
  isOver,
  matchesPattern,
  responseFaultOf,
} from '../../src/domain/faults.ts'

const usual: Fault = {
  kind: 'hang',
  service: null,
  endpoint: null,
  status: null,
  code: null,
  retryAfterSeconds: null,
  forMs: null,
  times: null,
  every: 1,
  chance: certainty,
  until: null,
  seed: 's',
  met: 0,
  hits: 0,
}

/** Returns the first requests that it applies to, counted from 1. */
function matched(fault: Fault, count: number): number[] {
  const turns: number[] = []
  let now = fault
  for (let turn = 1; turn <= count; turn++) {
    if (isOver(now, 0)) break
    const { fault: after, isHit } = countMatch(now)
    if (isHit) turns.push(turn)
    now = after
  }
  return turns
}

test('a certain fault applies to every request, or to every Nth one, and never more often than its maximum', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), (every, times) => {
      const turns = matched({ ...usual, every, times }, 200)
      expect(turns).toEqual(Array.from({ length: times }, (_, i) => (i + 1) * every))
    }),
  )
})

test('chance repeats for the same seed, and has about its stated rate', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 9 }), (seed, tenths) => {
      const fault = { ...usual, seed, chance: tenths * 100_000 }
      const turns = matched(fault, 400)
      expect(matched(fault, 400)).toEqual(turns)
      // Five standard deviations of a fair draw are below 50 in 400.
      expect(Math.abs(turns.length - tenths * 40)).toBeLessThan(60)
    }),
    { numRuns: 50 },
  )
})

test('it is over when it reached its maximum number of hits, or its time', () => {
  expect(isOver({ ...usual, times: 2, hits: 1 }, 0)).toBe(false)
  expect(isOver({ ...usual, times: 2, hits: 2 }, 0)).toBe(true)
  expect(isOver({ ...usual, until: 10 }, 9)).toBe(false)
  expect(isOver({ ...usual, until: 10 }, 10)).toBe(true)
})

test.each<[pattern: string | null, name: string, matchesPattern: boolean]>([
  [null, 'anything', true],
  ['withdraw', 'withdraw', true],
  ['WithDraw', 'withdraw', true],
  ['withdraw', 'withdrawAll', false],
  ['POST /wallet/*', 'POST /wallet/deposit', true],
  ['POST /wallet/*', 'GET /wallet/balance', false],
  ['bet.settled', 'betXsettled', false],
  ['*', '', true],
  ['a(b', 'a(b', true],
])('the pattern %s and the name %s', (pattern, name, expected) => {
  expect(matchesPattern(pattern, ['another', name])).toBe(expected)
})

test('every kind is a fault of responses or of callbacks, with a time or status where it needs one', () => {
  for (const kind of faultKinds) {
    const fault = { ...usual, kind, code: kind === 'refuse' ? 'CONFLICT' : null }
    const applied = isCallbackFault(kind) ? callbackFaultOf(fault) : responseFaultOf(fault)
    expect(applied.kind).toBe(kind)
  }
  expect(responseFaultOf({ ...usual, kind: 'status' })).toMatchObject({ status: 503 })
  expect(responseFaultOf({ ...usual, kind: 'late', forMs: 7 })).toEqual({ kind: 'late', ms: 7 })
  expect(() => responseFaultOf({ ...usual, kind: 'refuse' })).toThrow()
  expect(() => responseFaultOf({ ...usual, kind: 'lose' })).toThrow()
  expect(() => callbackFaultOf({ ...usual, kind: 'hang' })).toThrow()
})
