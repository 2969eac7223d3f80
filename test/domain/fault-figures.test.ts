import { expect, test } from 'vitest'
import {
  callbackFaultOf,
  certainty,
  countMatch,
  type Fault,
  type FaultKind,
  isFaultKind,
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

test('chance is counted in parts per million', () => {
  expect(certainty).toBe(1_000_000)
})

test.each([
  ['late', 2_000],
  ['slow', 5_000],
  ['delay', 600_000],
  ['reorder', 60_000],
] as const)('%s takes %i ms by default', (kind, ms) => {
  const fault = { ...usual, kind }
  expect(kind === 'late' || kind === 'slow' ? responseFaultOf(fault) : callbackFaultOf(fault)).toEqual({ kind, ms })
})

test.each([
  ['status', 503],
  ['html', 502],
] as const)('%s responds with %i by default', (kind, status) => {
  expect(responseFaultOf({ ...usual, kind })).toMatchObject({ kind, status })
  expect(responseFaultOf({ ...usual, kind, status: 504 })).toMatchObject({ kind, status: 504 })
})

test('a fault counts matched and affected requests, and affects every Nth', () => {
  const first = countMatch({ ...usual, every: 2 })
  expect(first).toMatchObject({ isHit: false, fault: { met: 1, hits: 0 } })
  expect(countMatch(first.fault)).toMatchObject({ isHit: true, fault: { met: 2, hits: 1 } })
})

// A replayed world must have the same faults: the draws are part of a seed's guarantee.
test('a seed draws the same faults in every version', () => {
  const hits: number[] = []
  let fault: Fault = { ...usual, chance: 250_000, seed: 'replay' }
  for (let turn = 1; turn <= 40; turn++) {
    const { fault: after, isHit } = countMatch(fault)
    if (isHit) hits.push(turn)
    fault = after
  }
  expect(hits).toEqual([7, 8, 16, 19, 24, 34, 35, 36, 37, 40])
})

test('a draw below the chance is hit, an equal one is not', () => {
  // The seed draws 682,640 for the first match.
  const isHit = (chance: number) => countMatch({ ...usual, chance }).isHit
  expect([isHit(682_640), isHit(682_641)]).toEqual([false, true])
})

test.each([
  ['late', true],
  ['reorder', true],
  ['later', false],
  ['', false],
  ['toString', false],
])('"%s" is a kind of fault: %s', (text, isKind) => {
  expect(isFaultKind(text as FaultKind)).toBe(isKind)
})
