import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import type { TObject, TSchema } from 'typebox'
import { countText } from '../../kit/text/count-text.ts'
import { inexactIn } from '../contract/inexact-numbers.ts'
import { allows, type JsonSchema } from '../contract/json-schema.ts'
import { projector } from '../contract/project.ts'
import { isStorable } from '../contract/storable-text.ts'
import { patternWords } from './pattern-message.ts'

/** A field that does not match its schema. */
export interface SchemaFault {
  /** Top-level name of the field; empty when no single field is at fault. */
  readonly field: string
  readonly kind: 'absent' | 'malformed'
  /** A sentence that names the field. */
  readonly message: string
}

export type Validated = { faults: readonly SchemaFault[]; value: Record<string, unknown> }

/**
 * Validates one part of a request and projects it to its schema. Text that cannot be stored is a fault too. Faults come
 * in the order of the contract's fields, so that the same one is always reported first.
 */
export async function validateInput(schema: TObject, input: Record<string, unknown>): Promise<Validated> {
  const validate = await validatorOf(schema)
  const inexact = inexactNumbers(schema, input)
  const isValid = validate(input)
  if (!isValid || inexact.length > 0)
    return { faults: inOrder(schema, [...inexact, ...(validate.errors ?? []).map(faultOf)]), value: input }
  const projected = projector(schema)(input)
  // Ajv accepted it, so a mismatch means that the two read the schema differently: a bug in the contract.
  if (!projected.matches) throw new Error(`validation and projection disagree about the schema at ${projected.at}`)
  const value = projected.value as Record<string, unknown>
  const faults: SchemaFault[] = []
  for (const [field, part] of Object.entries(value)) {
    const fault = unstorable(part, schema.properties[field] as JsonSchema | undefined)
    if (fault) faults.push({ field, kind: 'malformed', message: `${field} holds ${fault}` })
  }
  return { faults, value }
}

/** Returns a fault for each field with a number that JSON does not keep exactly. */
function inexactNumbers(schema: TObject, input: Record<string, unknown>): readonly SchemaFault[] {
  return Object.entries<JsonSchema>(schema.properties).flatMap(([field, shape]) => {
    const fault = inexactIn(input[field], shape)
    return fault === undefined ? [] : [{ field, kind: 'malformed' as const, message: `${field} holds ${fault}` }]
  })
}

/** A fault in a document with its path: `$.fields[2].type`. */
export interface LocatedFault {
  readonly path: string
  readonly message: string
}

/**
 * Returns every fault of a document, such as a file, with its path. Objects of the schema state whether they are
 * closed.
 */
export async function faultsAt(schema: TSchema, value: unknown): Promise<LocatedFault[]> {
  const validate = await validatorOf(schema)
  if (validate(value)) {
    const fault = unstorable(value, undefined)
    return fault === undefined ? [] : [{ path: '$', message: `contains ${fault}` }]
  }
  const faults = new Map<string, LocatedFault & { readonly types: string[] }>()
  for (const error of validate.errors ?? []) {
    const { instancePath, keyword, params } = error
    // Each branch of a union has its own errors; the summary adds nothing.
    if (keyword === 'anyOf') continue
    const at = pathText(instancePath)
    const unknown: unknown = params['additionalProperty']
    const missing: unknown = params['missingProperty']
    if (typeof unknown === 'string') put(`${at}.${unknown}`, 'is an unknown key')
    else if (typeof missing === 'string') put(`${at}.${missing}`, 'is missing')
    else if (keyword === 'type') put(at, '', String(params['type']))
    else put(at, reasonOf(error))
  }
  // An error inside a nullable part is also a type error of its null branch, which adds no information.
  const stated = [...faults.values()].filter(({ message, types }) => message !== '' || types.length > 0)
  return stated.map(({ path, message, types }) => ({
    path,
    message: message || `must be ${types.map(typeText).join(' or ')}`,
  }))

  function put(path: string, message: string, type?: string): void {
    const known = faults.get(path) ?? { path, message: '', types: [] }
    const types = type === undefined || type === 'null' ? known.types : [...new Set([...known.types, type])]
    faults.set(path, { path, message: known.message || message, types })
  }
}

/** Returns a JSON Pointer in readable form: `/fields/2/type` is `$.fields[2].type`. */
function pathText(pointer: string): string {
  const parts = pointer.split('/').slice(1).map(unescapePointer)
  return `$${parts.map((part) => (/^[0-9]+$/.test(part) ? `[${part}]` : `.${part}`)).join('')}`
}

/**
 * Returns a description of the text in a value that cannot be stored; undefined if all can be. A schema with `x-replaces-surrogates`
 * has its unpaired surrogates replaced by its reader.
 */
function unstorable(value: unknown, shape: JsonSchema | undefined): string | undefined {
  if (typeof value === 'string') {
    if (isStorable(value)) return undefined
    if (value.includes('\0')) return 'a NUL character'
    return shape?.['x-replaces-surrogates'] ? undefined : 'an unpaired surrogate'
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, part] of Object.entries(value)) {
    const fault = isStorable(name) ? unstorable(part, shape?.properties?.[name]) : 'a name that cannot be stored'
    if (fault) return fault
  }
  return undefined
}

/** Removes nulls from fields that may be absent and have no meaning for null. */
export function withoutNulls(schema: JsonSchema, input: Record<string, unknown>): Record<string, unknown> {
  const required = new Set(schema.required)
  const output: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    const field = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined
    const isAbsent = value === null && field && !required.has(name) && !allows(field, 'null')
    if (isAbsent && !field['x-refuses-null']) continue
    output[name] = field?.properties && isObject(value) ? withoutNulls(field, value) : value
  }
  return output
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Parses numbers and booleans in the texts of a query or of path parameters as the schema requires. A text that cannot
 * be parsed stays text, and fails validation.
 */
export function readTexts(
  schema: TObject,
  texts: Readonly<Record<string, string | readonly string[] | undefined>>,
  options: { blankIsAbsent?: boolean | 'text' } = {},
): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const [name, field] of Object.entries<JsonSchema>(schema.properties)) {
    const text = texts[name]
    if (text === undefined || (text === '' && isAbsentWhenBlank(field, options.blankIsAbsent))) continue
    read[name] = allows(field, 'array')
      ? readList(field, text)
      : typeof text === 'string'
        ? readText(field, text)
        : text
  }
  return read
}

function isAbsentWhenBlank(field: JsonSchema, blankIsAbsent: boolean | 'text' | undefined): boolean {
  return blankIsAbsent === 'text' ? !allows(field, 'integer') && !allows(field, 'boolean') : blankIsAbsent === true
}

/** A single key is a list of one. */
function readList(field: JsonSchema, text: string | readonly string[]): unknown[] {
  const items = field.items && !Array.isArray(field.items) ? (field.items as JsonSchema) : {}
  return (typeof text === 'string' ? [text] : [...text]).map((one) => readText(items, one))
}

function readText(field: JsonSchema, text: string): unknown {
  if (allows(field, 'integer') && /^-?[0-9]{1,15}$/.test(text)) return Number(text)
  if (allows(field, 'boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

const validators = new WeakMap<TSchema, ValidateFunction>()
let engine: Promise<Ajv> | undefined

/** Compiles on first use: a server with hundreds of schemas starts without compiling any. */
async function validatorOf(schema: TSchema): Promise<ValidateFunction> {
  const known = validators.get(schema)
  if (known) return known
  engine ??= openEngine()
  const compiled = (await engine).compile(schema)
  validators.set(schema, compiled)
  return compiled
}

async function openEngine(): Promise<Ajv> {
  const { Ajv } = await import('ajv')
  // Schemas are ours, and a test checks them: validating each here would cost more than validating requests. Not strict
  // about keywords, because schemas have examples and formats for the reference; only `pattern` is enforced.
  return new Ajv({
    allErrors: true,
    // Includes the schema in each error, for its message.
    verbose: true,
    coerceTypes: false,
    useDefaults: true,
    validateFormats: false,
    strict: false,
    // `strict: false` disables this too, and 1e400 would pass as a number.
    strictNumbers: true,
    validateSchema: false,
    meta: false,
  })
}

/** Returns the first fault of each field, in the schema's order. */
function inOrder(schema: TObject, allFaults: readonly SchemaFault[]): readonly SchemaFault[] {
  const order = Object.keys(schema.properties)
  const faults = new Map<string, SchemaFault>()
  for (const fault of allFaults) if (!faults.has(fault.field)) faults.set(fault.field, fault)
  const rank = ({ field }: SchemaFault) => (order.includes(field) ? order.indexOf(field) : order.length)
  return [...faults.values()].sort((a, b) => rank(a) - rank(b))
}

function faultOf(error: ErrorObject): SchemaFault {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer)
  const missing: unknown = error.params['missingProperty']
  const [field] = path
  if (field === undefined && typeof missing === 'string') {
    return { field: missing, kind: 'absent', message: `${missing} is missing` }
  }
  return { field: field ?? '', kind: 'malformed', message: `${path.join('.') || 'the value'} ${reasonOf(error)}` }
}

/** Returns the end of a sentence that begins with the field. */
function reasonOf({ keyword, params, message, parentSchema }: ErrorObject): string {
  const limit: unknown = params['limit']
  switch (keyword) {
    case 'type':
      return `must be ${[params['type']].flat().map(typeText).join(' or ')}`
    case 'required':
      return `lacks ${params['missingProperty']}`
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).map(String).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`
    case 'pattern':
      // Ajv also allows schemas with `$async`; ours have none.
      return patternWords((parentSchema ?? {}) as JsonSchema)
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must be at least ${countText(Number(limit), 'character')} long`
    case 'maxLength':
      return `must be at most ${countText(Number(limit), 'character')} long`
    case 'minItems':
      return `must have at least ${countText(Number(limit), 'item')}`
    case 'maxItems':
      return `must have at most ${countText(Number(limit), 'item')}`
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'exclusiveMinimum':
      return `must be above ${limit}`
    case 'exclusiveMaximum':
      return `must be below ${limit}`
    case 'uniqueItems':
      return 'must not contain an item twice'
    case 'anyOf':
      return 'must have one of the allowed forms'
    default:
      return message ?? 'is invalid'
  }
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
}

function typeText(type: unknown): string {
  return typeNames[String(type)] ?? String(type)
}

/** Decodes a JSON Pointer: `~1` is `/` and `~0` is `~`. */
function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
