import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import type { TObject, TSchema } from 'typebox'
import { inexactIn } from '../contract/inexact-numbers.ts'
import { allows, type JsonSchema } from '../contract/json-schema.ts'
import { fitting } from '../contract/project.ts'
import { isKeepable } from '../contract/storable-text.ts'
import { patternWords } from './pattern-message.ts'

/** One field that is not as its shape says. */
export interface Fault {
  /** The field's name at the top of its part; empty when the fault is in no single one. */
  readonly field: string
  readonly kind: 'absent' | 'malformed'
  /** A sentence that names the field. */
  readonly message: string
}

export type Judged = { faults: readonly Fault[]; value: Record<string, unknown> }

/**
 * Judges one part of a request by its schema, and cuts it to what the schema names. All text of it can be kept.
 *
 * The faults come in the order in which the contract lists the fields, absent and malformed ones
 * together, so that of several wrong fields it is always the same one that is told.
 */
export async function judge(schema: TObject, given: Record<string, unknown>): Promise<Judged> {
  const validate = await validatorOf(schema)
  const inexact = inexactNumbers(schema, given)
  const isValid = validate(given)
  if (!isValid || inexact.length > 0)
    return { faults: inOrder(schema, [...inexact, ...(validate.errors ?? []).map(faultOf)]), value: given }
  const fitted = fitting(schema)(given)
  // Ajv said yes, so a misfit means that the two read the schema differently: the contract is at fault, not the caller.
  if (!fitted.fits) throw new Error(`the shape of ${fitted.at} is judged one way and cut another`)
  const value = fitted.value as Record<string, unknown>
  const faults: Fault[] = []
  for (const [field, part] of Object.entries(value)) {
    const fault = unkept(part, schema.properties[field] as JsonSchema | undefined)
    if (fault) faults.push({ field, kind: 'malformed', message: `${field} holds ${fault}` })
  }
  return { faults, value }
}

/** The fields that hold a number other than the one that was sent, or none at all. */
function inexactNumbers(schema: TObject, given: Record<string, unknown>): readonly Fault[] {
  return Object.entries<JsonSchema>(schema.properties).flatMap(([field, shape]) => {
    const found = inexactIn(given[field], shape)
    return found === undefined ? [] : [{ field, kind: 'malformed' as const, message: `${field} holds ${found}` }]
  })
}

/** One fault of a whole document, at its place: `$.fields[2].type`. */
export interface PlacedFault {
  readonly path: string
  readonly message: string
}

/** Returns every fault of a document, such as a file, with its place. Objects of the schema say whether they are closed. */
export async function faultsAt(schema: TSchema, value: unknown): Promise<PlacedFault[]> {
  const validate = await validatorOf(schema)
  if (validate(value)) {
    const fault = unkept(value, undefined)
    return fault === undefined ? [] : [{ path: '$', message: `contains ${fault}` }]
  }
  const faults = new Map<string, PlacedFault & { readonly types: string[] }>()
  for (const error of validate.errors ?? []) {
    const { instancePath, keyword, params } = error
    // Of a union each branch has its own errors; that none of them fits adds nothing.
    if (keyword === 'anyOf') continue
    const at = pathText(instancePath)
    const unknown: unknown = params['additionalProperty']
    const missing: unknown = params['missingProperty']
    if (typeof unknown === 'string') put(`${at}.${unknown}`, 'is an unknown key')
    else if (typeof missing === 'string') put(`${at}.${missing}`, 'is missing')
    else if (keyword === 'type') put(at, '', String(params['type']))
    else put(at, reasonOf(error))
  }
  return [...faults.values()].map(({ path, message, types }) => ({
    path,
    message: message || `must be ${types.join(' or ')}`,
  }))

  function put(path: string, message: string, type?: string): void {
    const known = faults.get(path) ?? { path, message: '', types: [] }
    const types = type === undefined || type === 'null' ? known.types : [...new Set([...known.types, type])]
    faults.set(path, { path, message: known.message || message, types })
  }
}

/** A JSON Pointer as people write places: `/fields/2/type` is `$.fields[2].type`. */
function pathText(pointer: string): string {
  const parts = pointer.split('/').slice(1).map(unescapePointer)
  return `$${parts.map((part) => (/^[0-9]+$/.test(part) ? `[${part}]` : `.${part}`)).join('')}`
}

/** What is in a value that cannot be kept. A shape that says `x-mends` puts another sign for half a character itself. */
function unkept(value: unknown, shape: JsonSchema | undefined): string | undefined {
  if (typeof value === 'string') {
    if (isKeepable(value)) return undefined
    if (value.includes('\0')) return 'a NUL character'
    return shape?.['x-mends'] ? undefined : 'half a character'
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, part] of Object.entries(value)) {
    const fault = isKeepable(name) ? unkept(part, shape?.properties?.[name]) : 'a name that cannot be kept'
    if (fault) return fault
  }
  return undefined
}

/** An object without the nulls that stand where a field may be left out, and means nothing by null. */
export function withoutNulls(schema: JsonSchema, given: Record<string, unknown>): Record<string, unknown> {
  const required = new Set(schema.required)
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const field = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined
    const isAbsent = value === null && field && !required.has(name) && !allows(field, 'null')
    if (isAbsent && !field['x-refuses-null']) continue
    kept[name] = field?.properties && isObject(value) ? withoutNulls(field, value) : value
  }
  return kept
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The texts of a query or of path parameters, with whole numbers and truth values read where the
 * schema asks for them. A text that cannot be read stays text, and fails as what it is.
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

/** A key given once is a list of one. */
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

/** Compiled when an endpoint is first used: a server with hundreds of shapes starts without compiling any. */
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
  // Shapes are ours, and held to the standard by a test: judging each of them here would cost more than judging what is asked.
  // Not strict about keywords, because shapes carry examples and formats for the reference; `pattern` is what binds.
  return new Ajv({
    allErrors: true,
    // With each error the shape it is about, which has the words for it.
    verbose: true,
    coerceTypes: false,
    useDefaults: true,
    validateFormats: false,
    strict: false,
    // `strict: false` turns this off too, and 1e400 would pass as a number.
    strictNumbers: true,
    validateSchema: false,
    meta: false,
  })
}

/** One fault for each field, the first given. */
function inOrder(schema: TObject, found: readonly Fault[]): readonly Fault[] {
  const order = Object.keys(schema.properties)
  const faults = new Map<string, Fault>()
  for (const fault of found) if (!faults.has(fault.field)) faults.set(fault.field, fault)
  const place = ({ field }: Fault) => (order.includes(field) ? order.indexOf(field) : order.length)
  return [...faults.values()].sort((a, b) => place(a) - place(b))
}

function faultOf(error: ErrorObject): Fault {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer)
  const missing: unknown = error.params['missingProperty']
  const [field] = path
  if (field === undefined && typeof missing === 'string') {
    return { field: missing, kind: 'absent', message: `${missing} is missing` }
  }
  return { field: field ?? '', kind: 'malformed', message: `${path.join('.') || 'the whole'} ${reasonOf(error)}` }
}

function reasonOf({ keyword, params, message, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return `lacks ${params['missingProperty']}`
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).map(String).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`
    case 'pattern':
      // Of the engine's two forms of schema ours is the plain one.
      return patternWords((parentSchema ?? {}) as JsonSchema)
    default:
      return message ?? 'is not as it should be'
  }
}

/** JSON Pointer writes `/` as `~1` and `~` as `~0`. */
function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
