import { expect, test } from 'vitest'
import { openOlderThan } from '../../../../src/operator/reconcile/breaks/ages.ts'

const hours = (count: number) => count * 3_600_000
const breaks = [
  { id: 'daily-1', ageMs: hours(2) },
  { id: 'daily-2', ageMs: null },
  { id: 'daily-3', ageMs: hours(49) },
  { id: 'daily-4', ageMs: hours(48) },
]

test('names the breaks that have been open for longer than the limit, not those that reach it', () => {
  expect(openOlderThan(breaks, hours(48))).toEqual({ oldestMs: hours(49), ids: ['daily-3'] })
})

test('names none without a limit', () => {
  expect(openOlderThan(breaks, undefined)).toEqual({ oldestMs: hours(49), ids: [] })
})

test('a list without open breaks has no oldest one', () => {
  expect(openOlderThan([{ id: 'daily-2', ageMs: null }], 0)).toEqual({ oldestMs: null, ids: [] })
})

test('a book can have more breaks than a call may have arguments', () => {
  const many = Array.from({ length: 300_000 }, (_, i) => ({ id: `daily-${i}`, ageMs: i }))
  expect(openOlderThan(many, 299_998)).toEqual({ oldestMs: 299_999, ids: ['daily-299999'] })
})
