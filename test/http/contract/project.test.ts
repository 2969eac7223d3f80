import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { projector } from '../../../src/http/contract/project.ts'
import {
  Decimal,
  Moment,
  Named,
  Nullable,
  OneOf,
  OpenObject,
  Whole,
} from '../../../src/http/contract/shared-schemas.ts'
import { validateInput } from '../../../src/http/server/validate.ts'

const leg = Type.Object({ zone: Type.String(), hold: Type.Optional(Type.String()) })
const slip = Type.Object({
  id: Type.Integer(),
  at: Nullable(Moment),
  legs: Type.Array(leg),
  more: Type.Optional(OpenObject),
})

test('a valid value is cut at every depth', () => {
  const given = { id: 1, at: null, legs: [{ zone: 'B', secret: 1 }], more: { a: { b: 1 } }, secret: 1 }
  expect(projector(slip)(given)).toEqual({
    matches: true,
    value: { id: 1, at: null, legs: [{ zone: 'B' }], more: { a: { b: 1 } } },
  })
})

test.each([
  [{ id: 1.5, at: null, legs: [] }, 'id'],
  [{ at: null, legs: [] }, 'id'],
  [{ id: 1, at: 5, legs: [] }, 'at'],
  [{ id: 1, at: null, legs: [{ zone: 'B' }, { zone: null }] }, 'legs.1.zone'],
  [{ id: 1, at: null, legs: [{}] }, 'legs.0.zone'],
  [{ id: 1, at: null, legs: {} }, 'legs'],
  [{ id: 1, at: null, legs: [], more: [] }, 'more'],
  [null, ''],
  ['x', ''],
  [[], ''],
])('%j does not match, at %j', (value, at) => {
  expect(projector(slip)(value)).toEqual({ matches: false, at })
})

test('a union takes the first matching branch, and a failed branch leaves no part of its path', () => {
  const either = Type.Object({
    of: Type.Union([
      Type.Object({ kind: Type.Literal('a'), x: Type.String() }),
      Type.Object({ kind: Type.Literal('b'), y: Type.Integer() }),
    ]),
    after: Type.String(),
  })
  expect(projector(either)({ of: { kind: 'b', y: 1, x: 'cut' }, after: 'z' })).toEqual({
    matches: true,
    value: { of: { kind: 'b', y: 1 }, after: 'z' },
  })
  expect(projector(either)({ of: { kind: 'b', y: 1 }, after: 5 })).toEqual({ matches: false, at: 'after' })
})

test('tuples, intersections, records and names are cut by their parts', () => {
  const shape = Type.Object({
    pair: Type.Tuple([Type.String(), Type.Integer()]),
    both: Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]),
    record: Type.Record(Type.String(), leg),
    named: Named(Type.Integer()),
    level: OneOf(['low', 'high']),
  })
  const given = {
    pair: ['a', 1],
    both: { a: '1', b: '2', c: '3' },
    record: { x: { zone: 'B', y: 1 } },
    named: { p: 1 },
    level: 'low',
  }
  expect(projector(shape)(given)).toEqual({
    matches: true,
    value: { ...given, both: { a: '1', b: '2' }, record: { x: { zone: 'B' } } },
  })
  expect(projector(shape)({ ...given, pair: ['a'] })).toMatchObject({ matches: false, at: 'pair' })
  expect(projector(shape)({ ...given, named: { p: 'x' } })).toMatchObject({ matches: false, at: 'named.p' })
  expect(projector(shape)({ ...given, level: 'mid' })).toMatchObject({ matches: false, at: 'level' })
})

test('numbers that JSON cannot represent do not match', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, '1']) {
    expect(projector(Type.Number())(value)).toMatchObject({ matches: false })
  }
})

test('a field named like a property of every object is returned only if it is present', () => {
  const shape = Type.Object({ note: Type.Optional(Type.String()) }, { additionalProperties: Type.String() })
  const hostile = JSON.parse('{"__proto__":"x","constructor":"y"}')
  expect(projector(shape)(hostile)).toEqual({ matches: true, value: { constructor: 'y' } })
})

test('what Ajv accepts, the projection accepts, and projecting twice changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record(
        {
          id: fc.oneof(fc.integer(), fc.string()),
          at: fc.oneof(fc.constant(null), fc.constant('2026-03-01T00:00:00.000Z'), fc.string()),
          legs: fc.oneof(fc.array(fc.record({ zone: fc.string(), x: fc.anything() })), fc.string()),
          more: fc.object(),
        },
        { requiredKeys: [] },
      ),
      async (given) => {
        const { faults, value } = await validateInput(slip, structuredClone(given) as Record<string, unknown>)
        if (faults.length > 0) return
        const once = projector(slip)(value)
        expect(once).toMatchObject({ matches: true })
        expect(once.matches && projector(slip)(once.value)).toEqual(once)
      },
    ),
  )
})

test.each([
  ['0', true],
  ['12.3456', true],
  ['-1', false],
  ['1.23456', false],
  ['1234567890123456', false],
  ['.5', false],
  ['1.', false],
  ['1e3', false],
  [' 1', false],
  ['1\n', false],
])('%j is an amount of at most 15 digits and 4 decimals: %s', async (amount, expected) => {
  const shape = Type.Object({ amount: Decimal({ whole: 15, fraction: 4 }) })
  expect((await validateInput(shape, { amount })).faults.length === 0).toBe(expected)
})

test('a whole number has its bounds, and a default where one is given', async () => {
  const shape = Type.Object({ page: Type.Optional(Whole(1, 10, { default: 1 })) })
  expect((await validateInput(shape, {})).value).toEqual({ page: 1 })
  expect((await validateInput(shape, { page: 11 })).faults).toMatchObject([{ field: 'page', kind: 'malformed' }])
})

test('all invalid fields are reported, in the order of the contract', async () => {
  const { faults } = await validateInput(slip, { legs: [{}, {}], at: 'yesterday' })
  expect(faults.map(({ field, kind }) => [field, kind])).toEqual([
    ['id', 'absent'],
    ['at', 'malformed'],
    ['legs', 'malformed'],
  ])
  expect(faults[2]?.message).toBe('legs.0 lacks zone')
})
