import type { JsonSchema } from '../contract/json-schema.ts'

/** Values of fields by name, where their schema has no example. */
export type ExampleFields = Readonly<Record<string, unknown>>

/** Returns an example value of a schema: its own, else that of its field's name, else a plain one of the right type. */
export function exampleOf(schema: JsonSchema, fields: ExampleFields = {}, name = ''): unknown {
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const { type } = schema
  const named = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (named !== undefined && typeOfValue(named).some((each) => each === type || type?.includes(each))) return named
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, fields, name)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((each) => exampleOf(each, fields)))
  switch (typeof type === 'object' ? type[0] : type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, field]) => [key, exampleOf(field, fields, key)]),
      )
    case 'array':
      return [schema.items].flat().map((item) => exampleOf(item ?? {}, fields, name))
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'null':
      return null
    case 'string':
      return 'text'
    default:
      return {}
  }
}

/** Returns the JSON Schema types that a value has. */
function typeOfValue(value: unknown): string[] {
  if (Array.isArray(value)) return ['array']
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number']
  return [typeof value]
}
