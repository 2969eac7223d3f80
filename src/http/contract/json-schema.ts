/** The part of JSON Schema that contracts speak: what TypeBox writes for objects, lists, unions and plain values. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema | readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly title?: string
  readonly description?: string
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly default?: unknown
  readonly examples?: unknown
  readonly $ref?: string
  /** Ours: whoever reads the text puts another sign for half a character, so that it is not refused. */
  readonly 'x-mends'?: boolean
  /** Ours: null is refused, also where a contract takes null in an optional field for absent. */
  readonly 'x-refuses-null'?: boolean
}

/** Whether one of the types a schema allows at its top is this one, also inside a union. */
export function allows(schema: JsonSchema, type: string): boolean {
  if (schema.anyOf) return schema.anyOf.some((branch) => allows(branch, type))
  return Array.isArray(schema.type) ? schema.type.includes(type) : schema.type === type
}
