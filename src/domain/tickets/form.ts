import type { Workflow } from './workflow.ts'

/** A ticket form: typed fields and the validation of a ticket's values. */

export const fieldTypes = [
  'text',
  'textarea',
  'email',
  'phone',
  'url',
  'integer',
  'decimal',
  'boolean',
  'date',
  'datetime',
  'select',
  'multiselect',
] as const
export type FieldType = (typeof fieldTypes)[number]

export interface FieldValidation {
  readonly minLength?: number | null | undefined
  readonly maxLength?: number | null | undefined
  readonly pattern?: string | null | undefined
  /** A number for `integer`, a decimal text for `decimal`; both are written as text. */
  readonly min?: string | null | undefined
  readonly max?: string | null | undefined
  readonly maxSelections?: number | null | undefined
}

export interface FieldOption {
  readonly value: string
  readonly label: string
  readonly active?: boolean | undefined
}

export interface FormField {
  readonly fieldCode: string
  readonly label: string
  readonly type: FieldType
  readonly required: boolean
  readonly visibleToCustomer: boolean
  readonly default?: FieldContent | null | undefined
  readonly validation: FieldValidation
  readonly options?: readonly FieldOption[] | null | undefined
  /** Status codes that a ticket enters only with this field filled. */
  readonly requiredOnStatus: readonly string[]
}

export interface FormDefinition {
  readonly title: string
  readonly description: string
  readonly fields: readonly FormField[]
  readonly workflow: Workflow
}

export type FieldContent = string | number | boolean | readonly string[]

export interface FieldValue {
  readonly fieldCode: string
  readonly value: FieldContent
}

export const fieldFaults = [
  'unknown_field',
  'duplicate_field',
  'required',
  'wrong_type',
  'too_short',
  'too_long',
  'pattern',
  'out_of_range',
  'not_an_option',
  'too_many',
] as const
export type FieldFault = (typeof fieldFaults)[number]

/** Values as sent, not yet validated. */
export interface SentValue {
  readonly fieldCode: string
  readonly value: unknown
}

/** Returns the values with the form's defaults filled in, or all validation errors at once. */
export function fillIn(
  form: FormDefinition,
  sent: readonly SentValue[],
): { values: FieldValue[] } | { faults: { field: string; code: FieldFault }[] } {
  const faults: { field: string; code: FieldFault }[] = []
  const seen = new Set<string>()
  const values: FieldValue[] = []
  for (const { fieldCode, value } of sent) {
    const field = form.fields.find((each) => each.fieldCode === fieldCode)
    if (!field) faults.push({ field: fieldCode, code: 'unknown_field' })
    else if (seen.has(fieldCode)) faults.push({ field: fieldCode, code: 'duplicate_field' })
    else if (!isBlank(value)) {
      const fault = faultIn(field, value)
      if (fault) faults.push({ field: fieldCode, code: fault })
      // `faultIn` has checked that the value is one of these types.
      else values.push({ fieldCode, value: value as FieldContent })
    }
    seen.add(fieldCode)
  }
  for (const field of form.fields) {
    if (values.some(({ fieldCode }) => fieldCode === field.fieldCode)) continue
    if (faults.some((fault) => fault.field === field.fieldCode)) continue
    if (!isBlank(field.default) && field.default != null)
      values.push({ fieldCode: field.fieldCode, value: field.default })
    else if (field.required) faults.push({ field: field.fieldCode, code: 'required' })
  }
  return faults.length > 0 ? { faults } : { values }
}

/** Returns the fields that a ticket still needs to enter a status. */
export function lackingFor(form: FormDefinition, values: readonly FieldValue[], status: string): string[] {
  return form.fields
    .filter(({ requiredOnStatus }) => requiredOnStatus.includes(status))
    .filter(({ fieldCode }) => !values.some((value) => value.fieldCode === fieldCode))
    .map(({ fieldCode }) => fieldCode)
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Returns the fault in a value of a field. */
export function faultIn(field: FormField, value: unknown): FieldFault | undefined {
  if (field.type === 'boolean') return typeof value === 'boolean' ? undefined : 'wrong_type'
  if (field.type === 'multiselect') return faultInChoices(field, value)
  if (field.type === 'integer') {
    if (!Number.isSafeInteger(value)) return 'wrong_type'
    return isWithin(String(value), field.validation) ? undefined : 'out_of_range'
  }
  if (typeof value !== 'string' || value.includes('\0')) return 'wrong_type'
  if (field.type === 'select') return isOption(field, value) ? undefined : 'not_an_option'
  if (!hasForm(field.type, value)) return 'wrong_type'
  if (field.type === 'decimal' && !isWithin(value, field.validation)) return 'out_of_range'
  return faultInText(field, value)
}

function faultInChoices(field: FormField, value: unknown): FieldFault | undefined {
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'string')) return 'wrong_type'
  if (new Set(value).size < value.length) return 'wrong_type'
  if (value.some((each) => !isOption(field, each))) return 'not_an_option'
  const { maxSelections } = field.validation
  return maxSelections != null && value.length > maxSelections ? 'too_many' : undefined
}

function isOption({ options }: FormField, value: string): boolean {
  return options?.some((option) => option.value === value && option.active !== false) ?? false
}

/** Maximum length of a field. A form can only lower it. */
export const longestText = 5_000

function faultInText({ validation }: FormField, value: string): FieldFault | undefined {
  const length = [...value].length
  if (length < (validation.minLength ?? 0)) return 'too_short'
  if (length > Math.min(validation.maxLength ?? longestText, longestText)) return 'too_long'
  if (validation.pattern == null) return undefined
  // A pattern was checked when its form was saved; this bound keeps even quadratic matching fast.
  if (length > longestMatched) return 'too_long'
  return new RegExp(`^(?:${validation.pattern})$`, 'u').test(value) ? undefined : 'pattern'
}

const longestMatched = 1_000

const forms: Partial<Record<FieldType, RegExp>> = {
  email: /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/,
  phone: /^\+?[0-9][0-9 ()./-]{3,30}$/,
  url: /^https?:\/\/[^\s]{1,2000}$/,
  decimal: /^-?[0-9]{1,15}(?:\.[0-9]{1,18})?$/,
  date: /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/,
  datetime: /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,3})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})$/,
}

function hasForm(type: FieldType, value: string): boolean {
  if (!(forms[type]?.test(value) ?? true)) return false
  if (type === 'date') return isDay(value)
  return type !== 'datetime' || (isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value)))
}

/** Returns whether the calendar has the day: parsing and formatting changes 30 February. */
function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

function isWithin(value: string, { min, max }: FieldValidation): boolean {
  if (min != null && compareDecimals(value, min) < 0) return false
  return max == null || compareDecimals(value, max) <= 0
}

/** Compares two decimal texts exactly. */
function compareDecimals(a: string, b: string): number {
  const [left, right] = [scaled(a), scaled(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

function scaled(text: string): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole + fraction.padEnd(18, '0'))
  return text.startsWith('-') ? -units : units
}

/** Returns whether a decimal text is below another one. */
export function isBelow(value: string, bound: string): boolean {
  return compareDecimals(value, bound) < 0
}

/** Number of ways a match may take before a pattern is refused: two endless repetitions on a text of 1,000 characters, and 8 more. */
const maxWays = 8_000_000

/**
 * Returns whether matching a pattern always stays fast: it compiles, repeats no group, looks around and back at nothing, and its
 * choices multiply to few ways. Each choice counts: an endless repetition as 1,000, `?` as 2, `{n,m}` and `a|b` as their number.
 */
export function isHarmlessPattern(pattern: string): boolean {
  if (pattern.length > 200 || /\(\?[=!<]|\\[1-9k]|\)[*+{]/.test(pattern)) return false
  try {
    new RegExp(`^(?:${pattern})$`, 'u')
  } catch {
    return false
  }
  const bare = pattern
    .replace(/\\./gu, 'x')
    .replace(/\[[^\]]*\]/g, 'x')
    .replaceAll('(?:', '(')
  const unbounded = bare.match(/[*+]|\{\d+,\}/g) ?? []
  if (unbounded.length > 2) return false
  let ways = longestMatched ** unbounded.length
  for (const [, from, to] of bare.matchAll(/\{(\d+),(\d+)\}/g)) ways *= Number(to) - Number(from) + 1
  // A question mark behind another repetition only makes that one lazy.
  ways *= 2 ** (bare.replace(/([*+}?])\?/g, '$1').match(/\?/g) ?? []).length
  ways *= 2 ** (bare.match(/\|/g) ?? []).length
  return ways <= maxWays
}
