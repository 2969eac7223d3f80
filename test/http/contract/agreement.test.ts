import { isDeepStrictEqual } from 'node:util'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import type { Contract } from '../../../src/http/contract/contract.ts'
import type { JsonSchema } from '../../../src/http/contract/json-schema.ts'
import { projector } from '../../../src/http/contract/project.ts'
import { validateInput } from '../../../src/http/server/validate.ts'
import * as casino from '../../../src/services/casino/api/contract.ts'
import { play } from '../../../src/services/casino/live/contract.ts'
import * as chat from '../../../src/services/chat/api/contract.ts'
import * as gateway from '../../../src/services/gateway/api/contract.ts'

/**
 * Compares Ajv, which validates requests, with `project.ts`, which projects them, both from one schema. Both get the
 * same values for every schema of every contract.
 */

const isContract = (value: unknown): value is Contract =>
  typeof value === 'object' && value !== null && 'endpoints' in value && 'prefixes' in value
const contracts = [{ ...casino }, { play }, { ...chat }, { ...gateway }].flatMap((each) =>
  Object.values(each).filter(isContract),
)

const schemas = contracts.flatMap(({ title, endpoints }) =>
  Object.entries(endpoints).flatMap(([name, { params, query, body, reply }]) =>
    Object.entries({ params, query, body, reply }).flatMap(([part, schema]): [string, TSchema][] =>
      schema === undefined ? [] : [[`${title} ${name} ${part}`, schema]],
    ),
  ),
)

/** Checks that the projection leaves to Ajv: bounds of values, and whether an object is closed. */
const bounds = new Set(
  'pattern format minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems uniqueItems default'.split(
    ' ',
  ),
)

function withoutBounds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutBounds)
  if (typeof schema !== 'object' || schema === null) return schema
  const isTuple = 'items' in schema && Array.isArray(schema.items)
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => key !== 'additionalProperties' || value !== false)
      // The length of a tuple is part of its shape.
      .filter(([key, value]) => !bounds.has(key) || typeof value === 'object' || (isTuple && /Items$/.test(key)))
      .map(([key, value]) => [key, key === 'enum' || key === 'const' ? value : withoutBounds(value)]),
  )
}

const ajv = new Ajv({ strict: false, strictNumbers: true, validateFormats: false, validateSchema: false, meta: false })

/** Values that a schema describes, sometimes with another value in one position. */
function valuesOf(schema: JsonSchema, isDisturbed: boolean): fc.Arbitrary<unknown> {
  const named = namedBy(schema, isDisturbed)
  const other = fc.jsonValue({ maxDepth: 1 })
  return isDisturbed ? fc.oneof({ weight: 12, arbitrary: named }, { weight: 1, arbitrary: other }) : named
}

function namedBy(schema: JsonSchema, isDisturbed: boolean): fc.Arbitrary<unknown> {
  const { anyOf, allOf, items } = schema
  if (anyOf) return fc.oneof(...anyOf.map((each) => valuesOf(each, isDisturbed)))
  if (allOf)
    return fc.tuple(...allOf.map((each) => namedBy(each, isDisturbed))).map((parts) => Object.assign({}, ...parts))
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const types = [schema.type].flat()
  if (types.length > 1)
    return fc.oneof(...types.map((type) => namedBy({ ...schema, type: type ?? 'null' }, isDisturbed)))
  switch (types[0]) {
    case 'string':
      return Array.isArray(schema.examples) && schema.examples.length > 0
        ? fc.oneof(fc.constantFrom(...schema.examples), fc.string())
        : fc.string()
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -5, max: Math.max(schema.minimum ?? 0, schema.maximum ?? 1_000) })
    case 'number':
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      if (Array.isArray(items)) return fc.tuple(...items.map((each) => valuesOf(each, isDisturbed)))
      return fc.array(items ? valuesOf(items as JsonSchema, isDisturbed) : fc.jsonValue({ maxDepth: 1 }), {
        maxLength: 3,
      })
    case 'object':
      return objectsOf(schema, isDisturbed)
    default:
      return fc.jsonValue({ maxDepth: 1 })
  }
}

/** Made once: fast-check parses the expression and tries its list of dangerous names each time. */
const shortName = fc.stringMatching(/^[a-z]{1,3}$/)

function objectsOf(
  { properties = {}, required = [], additionalProperties: rest }: JsonSchema,
  isDisturbed: boolean,
): fc.Arbitrary<unknown> {
  const fields = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valuesOf(field, isDisturbed)])),
    { requiredKeys: required.filter((name) => name in properties) },
  )
  const others = fc.dictionary(
    shortName,
    rest && rest !== true ? valuesOf(rest, isDisturbed) : fc.jsonValue({ maxDepth: 1 }),
    {
      maxKeys: 2,
    },
  )
  // Null prototypes and keys such as __proto__ change when they are parsed from JSON.
  return fc.tuple(others, fields).map(([more, named]) => JSON.parse(JSON.stringify({ ...more, ...named })))
}

test('there are schemas to compare', () => {
  expect(contracts.length).toBeGreaterThanOrEqual(6)
  expect(schemas.length).toBeGreaterThan(250)
})

/** Part of a value that the two interpret differently, if any. */
function difference(project: ReturnType<typeof projector>, accepts: (value: unknown) => boolean, value: unknown) {
  const projected = project(value)
  if (projected.matches !== accepts(value))
    return projected.matches ? 'only the projection accepts it' : `only Ajv does, at ${projected.at}`
  if (!projected.matches) return undefined
  if (!accepts(projected.value)) return 'Ajv refuses what was projected'
  const again = project(projected.value)
  return again.matches && isDeepStrictEqual(again.value, projected.value) ? undefined : 'projecting it again changes it'
}

test.each(schemas)('Ajv and the projection agree on %s', async (name, schema) => {
  const accepts = ajv.compile(withoutBounds(JSON.parse(JSON.stringify(schema))) as object)
  const project = projector(schema)
  const values = [true, false].flatMap((isDisturbed) =>
    fc.sample(valuesOf(schema as JsonSchema, isDisturbed), { numRuns: 15, seed: 7 }),
  )
  const different = values.flatMap((value) => {
    const what = difference(project, accepts, value)
    return what === undefined ? [] : [{ what, value }]
  })
  expect(different).toEqual([])
  expect(values.some((value) => project(value).matches)).toBe(true)
  if (name.endsWith(' reply')) return
  // With its bounds, as requests are validated: it throws where Ajv accepts a value and the projection does not.
  for (const value of values)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      await validateInput(schema as Parameters<typeof validateInput>[0], value as Record<string, unknown>)
})
