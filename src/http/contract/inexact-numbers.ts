import { allows, type JsonSchema } from './json-schema.ts'

/**
 * Returns a description of the first number that JSON does not keep exactly; undefined if there is none. These are
 * 1e400 (parsed as Infinity), 1e-400 (parsed as NaN by `src/http/server/body.ts`), -0 (written as 0), and an integer
 * beyond 2^53 - 1 where the schema requires an integer.
 */
export function inexactIn(value: unknown, shape: JsonSchema): string | undefined {
  if (typeof value === 'number') return inexactNumber(value, shape)
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, part] of Object.entries(value)) {
    const fault = inexactIn(part, shapeAt(shape, name, Array.isArray(value)))
    if (fault !== undefined) return fault
  }
  return undefined
}

function inexactNumber(value: number, shape: JsonSchema): string | undefined {
  if (!Number.isFinite(value)) return 'a number that is too large or too small'
  if (Object.is(value, -0)) return 'a negative zero'
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value)
  return isExact || allows(shape, 'number') || !allows(shape, 'integer')
    ? undefined
    : `an integer beyond ${Number.MAX_SAFE_INTEGER}`
}

/** Returns the schema of a property or item: of a union, the first branch that has one. */
function shapeAt(shape: JsonSchema, name: string, isList: boolean): JsonSchema {
  const branches = shape.anyOf ?? shape.allOf ?? [shape]
  for (const branch of branches) {
    const schema = branch.anyOf || branch.allOf ? shapeAt(branch, name, isList) : directShapeAt(branch, name, isList)
    if (schema !== undefined) return schema
  }
  return {}
}

function directShapeAt(
  { properties, items, additionalProperties: rest }: JsonSchema,
  name: string,
  isList: boolean,
): JsonSchema | undefined {
  if (isList) return Array.isArray(items) ? items[Number(name)] : (items as JsonSchema | undefined)
  if (Object.hasOwn(properties ?? {}, name)) return properties?.[name]
  return typeof rest === 'object' ? rest : undefined
}
