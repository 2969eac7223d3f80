/** The subset of JSON Schema that contracts use: TypeBox objects, lists, unions and plain values. */
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
  /** Our own keyword: the reader of the text replaces unpaired surrogates, so they are not refused. */
  readonly 'x-replaces-surrogates'?: boolean
  /** Our own keyword: null is refused, even if the contract treats null in an optional field as absent. */
  readonly 'x-refuses-null'?: boolean
}

/** Returns whether a schema allows a type at its top level, also inside a union. */
export function allows(schema: JsonSchema, type: string): boolean {
  if (schema.anyOf) return schema.anyOf.some((branch) => allows(branch, type))
  return Array.isArray(schema.type) ? schema.type.includes(type) : schema.type === type
}
