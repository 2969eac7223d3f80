import { Type } from 'typebox'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../../../src/http/contract/json-schema.ts'
import { patternWords } from '../../../src/http/server/pattern-message.ts'
import { validateInput } from '../../../src/http/server/validate.ts'
import * as casino from '../../../src/services/casino/api/contract.ts'
import * as chat from '../../../src/services/chat/api/contract.ts'
import { RoomId } from '../../../src/services/chat/api/schemas.ts'
import * as gateway from '../../../src/services/gateway/api/contract.ts'

/** Every shape with a pattern, at any depth. */
function withPattern(value: unknown, seen = new Set<unknown>()): JsonSchema[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  const own = typeof Reflect.get(value, 'pattern') === 'string' ? [value as JsonSchema] : []
  return [...own, ...Object.values(value).flatMap((part) => withPattern(part, seen))]
}

test('every pattern of the three services has a message in words', () => {
  const shapes = withPattern([{ ...casino }, { ...chat }, { ...gateway }])
  expect(new Set(shapes.map(({ pattern }) => pattern)).size).toBeGreaterThan(15)
  for (const shape of shapes) {
    const words = patternWords(shape)
    expect([shape.pattern, words]).toEqual([shape.pattern, expect.stringMatching(/^must be /)])
    expect(words).not.toMatch(/[\\^$[\]{}*]/)
  }
})

test('a refusal names the field and its allowed values', async () => {
  const shape = Type.Object({
    roomId: RoomId,
    code: Type.String({ pattern: '^[A-Za-z0-9_.-]{1,64}$' }),
    name: Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' }),
  })
  const { faults } = await validateInput(shape, { roomId: '../x', code: 'a b', name: 'a\u0007' })
  expect(faults.map(({ message }) => message)).toEqual([
    'roomId must be written like room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6',
    'code must be 1 to 64 characters: letters A to Z, digits and _ . -',
    'name must be one line of text without control characters',
  ])
})

test.each([
  [Type.String({ maxLength: 64 }), 'x'.repeat(65), 'name must be at most 64 characters long'],
  [Type.String({ maxLength: 1 }), 'xx', 'name must be at most 1 character long'],
  [Type.String({ minLength: 1 }), '', 'name must not be empty'],
  [Type.String({ minLength: 8 }), 'x', 'name must be at least 8 characters long'],
  [Type.String(), 5, 'name must be a string'],
  [Type.Integer(), 'x', 'name must be a whole number'],
  [Type.Number(), true, 'name must be a number'],
  [Type.Boolean(), 'yes', 'name must be true or false'],
  [Type.Object({}), [], 'name must be an object'],
  [Type.Array(Type.String()), 'x', 'name must be a list'],
  [Type.Array(Type.String(), { minItems: 1 }), [], 'name must have at least 1 item'],
  [Type.Array(Type.String(), { maxItems: 2 }), ['a', 'b', 'c'], 'name must have at most 2 items'],
  [Type.Array(Type.String(), { uniqueItems: true }), ['a', 'a'], 'name must not contain an item twice'],
  [Type.Integer({ minimum: 1 }), 0, 'name must be at least 1'],
  [Type.Integer({ maximum: 100 }), 101, 'name must be at most 100'],
  [Type.Number({ exclusiveMinimum: 0 }), 0, 'name must be above 0'],
  [Type.Number({ exclusiveMaximum: 1 }), 1, 'name must be below 1'],
  [Type.Literal('ONETIME'), 'MONTHLY', 'name must be "ONETIME"'],
  [Type.Object({ id: Type.String() }), {}, 'name lacks id'],
])('a schema %j refuses %j with a sentence', async (schema, value, message) => {
  const { faults } = await validateInput(Type.Object({ name: schema }), { name: value })
  expect(faults).toEqual([{ field: 'name', kind: 'malformed', message }])
})
