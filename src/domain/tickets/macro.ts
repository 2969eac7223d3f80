/** Macros: replies that are written once and filled in for each ticket. */

/** Types of a variable: text, a number, a decimal amount, a time, or a chosen option. */
export const variableTypes = ['text', 'integer', 'decimal', 'boolean', 'date', 'datetime', 'list', 'label'] as const
export type VariableType = (typeof variableTypes)[number]

/** Type and format that a macro requires of a variable. */
export interface ExpectedType {
  readonly type: VariableType
  /** Decimal places, a date pattern, the two words of a boolean, or the separator of a list. */
  readonly format: string | null
}

/** A placeholder in a text that a variable fills. */
export interface VariableReference {
  readonly variable: string
  readonly expected: ExpectedType | null
  /** Line in its file; null if it is not from a file. */
  readonly line: number | null
}

export type MacroPart = string | VariableReference

export interface Macro {
  readonly name: string
  /** Texts by language tag, split into parts; `default` is the last resort. */
  readonly texts: Readonly<Record<string, readonly MacroPart[]>>
}

/** A variable of a ticket with its type; `any` if unknown, as for the fields of an unreadable form. */
export interface Variable {
  readonly type: Exclude<VariableType, 'label'> | 'any'
  readonly value: unknown
  /** Label of the chosen option. */
  readonly label?: string | null
}

export type Variables = Readonly<Record<string, Variable | undefined>>

export interface ReferenceFault {
  readonly variable: string
  readonly line: number | null
  readonly why: 'missing' | 'wrong-type'
  /** Actual and required value, for display. */
  readonly text: string
}

export type Filled =
  | { readonly text: string; readonly language: string }
  | { readonly faults: readonly ReferenceFault[]; readonly language: string }
  | { readonly untranslated: string }

/**
 * Returns the macro's text in a customer's language with variables filled in. A missing, empty or wrongly typed
 * variable is an error: a customer must never get half a sentence. Filled-in values are not searched for variables.
 */
export function fillMacro(macro: Macro, language: string | null, variables: Variables): Filled {
  const translation = textFor(macro, language)
  if (!translation) return { untranslated: language ?? 'default' }
  const faults: ReferenceFault[] = []
  const text = translation.parts.map((part) => {
    if (typeof part === 'string') return part
    const written = writeVariable(Object.hasOwn(variables, part.variable) ? variables[part.variable] : undefined, part)
    if (typeof written === 'string') return written
    faults.push({ variable: part.variable, line: part.line, ...written })
    return ''
  })
  return faults.length > 0
    ? { faults, language: translation.language }
    : { text: text.join(''), language: translation.language }
}

/** From most to least specific: `zh-Hant-TW`, `zh-Hant`, `zh`, and finally the default. */
function textFor(
  { texts }: Macro,
  language: string | null,
): { parts: readonly MacroPart[]; language: string } | undefined {
  const parts = (language ?? '').toLowerCase().split(/[-_]/).filter(Boolean)
  const tags = [...parts.map((_, i) => parts.slice(0, parts.length - i).join('-')), 'default']
  const known = new Map(Object.entries(texts).map(([tag, text]) => [tag.toLowerCase().replaceAll('_', '-'), text]))
  for (const tag of tags) {
    const translation = known.get(tag)
    if (translation !== undefined) return { parts: translation, language: tag }
  }
  return undefined
}

/** Returns the variables that a macro uses. */
export function variablesOf({ texts }: Macro): string[] {
  const references = Object.values(texts).flatMap((parts) => parts.filter((part) => typeof part !== 'string'))
  return [...new Set(references.map(({ variable }) => variable))]
}

/**
 * Splits a text at its placeholders, `{{name}}` or `{{name | type(format)}}`. Anything else in double braces is an
 * error.
 */
export function partsOf(
  text: string,
  lineAt: (index: number) => number | null,
  expectedTypes: Readonly<Record<string, ExpectedType>> = {},
): { parts: MacroPart[]; faults: { index: number; text: string }[] } {
  const parts: MacroPart[] = []
  const faults: { index: number; text: string }[] = []
  let at = 0
  for (const match of text.matchAll(/\{\{([\s\S]*?)\}\}/g)) {
    if (match.index > at) parts.push(text.slice(at, match.index))
    at = match.index + match[0].length
    const [, variable = '', formatText] = /^\s*([A-Za-z][\w.-]*)\s*(?:\|\s*([\s\S]+?)\s*)?$/.exec(match[1] ?? '') ?? []
    const formatType = formatText === undefined ? undefined : expectedTypeFrom(formatText)
    if (variable === '') faults.push({ index: match.index, text: `${match[0]} is not a valid variable` })
    else if (typeof formatType === 'string') faults.push({ index: match.index, text: `${match[0]}: ${formatType}` })
    else {
      const known = Object.hasOwn(expectedTypes, variable) ? (expectedTypes[variable] ?? null) : null
      parts.push({ variable, expected: formatType ?? known, line: lineAt(match.index) })
    }
  }
  if (at < text.length) parts.push(text.slice(at))
  return { parts, faults }
}

/** Parses a type and format, or returns the error. */
export function expectedTypeFrom(formatText: string): ExpectedType | string {
  const [, name = '', format = null] = /^([a-z]+)(?:\(([^()]*)\))?$/.exec(formatText.trim()) ?? []
  const type = variableTypes.find((known) => known === name)
  if (type === undefined) return `unknown type "${formatText.trim()}"; use one of ${variableTypes.join(', ')}`
  if (format === null) return { type, format: null }
  const fault = {
    text: 'text takes no format',
    integer: 'integer takes no format',
    label: 'label takes no format',
    decimal:
      /^\d{1,2}$/.test(format) && Number(format) <= maxPlaces
        ? undefined
        : `decimal takes a number of places from 0 to ${maxPlaces}, such as decimal(2)`,
    boolean: /^[^/]+\/[^/]+$/.test(format) ? undefined : 'boolean takes two words, such as boolean(yes/no)',
    date: patternFault(format, dayPieces, 'date takes a pattern of YYYY, MM and DD, such as date(DD.MM.YYYY)'),
    datetime: patternFault(
      // The letters T and Z of an ISO 8601 time are literals.
      format.replace(/(?<=DD)T(?=HH)|(?<=mm|ss)Z$/g, ' '),
      momentPieces,
      'datetime takes a pattern of YYYY, MM, DD, HH, mm and ss, such as datetime(DD.MM.YYYY HH:mm)',
    ),
    list: undefined,
  }[type]
  return fault ?? { type, format }
}

/** More places than any amount has. */
const maxPlaces = 18
const dayPieces: readonly string[] = ['YYYY', 'MM', 'DD']
const momentPieces: readonly string[] = [...dayPieces, 'HH', 'mm', 'ss']

/** Latin letters that are not part of a date pattern would reach a customer unchanged or half filled in. */
function patternFault(format: string, pieces: readonly string[], takes: string): string | undefined {
  const runs = format.match(/([A-Za-z])\1*/g) ?? []
  const unknown = runs.find((run) => !pieces.includes(run))
  if (unknown !== undefined) return `${takes}; "${unknown}" is not part of a pattern`
  return runs.length === 0 ? takes : undefined
}

/** Returns whether a variable of one type can always be formatted as another; `any` is checked by its value. */
export function canBe(have: Variable['type'], expected: VariableType): boolean {
  if (have === 'any' || expected === 'text' || have === expected) return true
  if (expected === 'label') return have === 'text' || have === 'list'
  return (have === 'integer' && expected === 'decimal') || (have === 'datetime' && expected === 'date')
}

/** Formats a variable, or returns the error. */
function writeVariable(
  variable: Variable | undefined,
  { expected }: VariableReference,
): string | Pick<ReferenceFault, 'why' | 'text'> {
  const { type: have, value, label } = variable ?? { type: 'any' as const, value: null }
  const isEmpty =
    value === undefined ||
    value === null ||
    (typeof value === 'string' && value.trim() === '') ||
    (Array.isArray(value) && value.length === 0)
  if (isEmpty) return { why: 'missing', text: variable === undefined ? 'does not exist' : 'is empty' }
  const type = expected?.type ?? (have === 'any' ? 'text' : have)
  const wrong = (): Pick<ReferenceFault, 'why' | 'text'> => ({
    why: 'wrong-type',
    text: `is ${shown(have, value)}, not ${withArticle(type)}`,
  })
  if (!canBe(have, type)) return wrong()
  const plain = Array.isArray(value) ? value.map(String).join(', ') : String(value)
  switch (type) {
    case 'text':
      return typeof value === 'object' && !Array.isArray(value) ? wrong() : plain
    case 'label':
      return label ?? wrong()
    case 'integer':
      return /^-?\d{1,30}$/.test(plain) ? plain : wrong()
    case 'decimal':
      return decimalText(plain, expected?.format ?? null) ?? wrong()
    case 'boolean': {
      if (plain !== 'true' && plain !== 'false') return wrong()
      const [yes = 'true', no = 'false'] = expected?.format?.split('/').map((word) => word.trim()) ?? []
      return plain === 'true' ? yes : no
    }
    case 'date':
    case 'datetime':
      return momentText(plain, type, expected?.format ?? null) ?? wrong()
    case 'list':
      return Array.isArray(value) ? value.map(String).join(expected?.format ?? ', ') : wrong()
  }
}

const withArticle = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)

function shown(type: Variable['type'], value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return `${text.length > 60 ? `${text.slice(0, 60)}…` : text}${type === 'any' ? '' : ` (${type})`}`
}

/**
 * Formats a decimal with this many places. Never drops a nonzero digit: a customer must not read a different amount.
 */
function decimalText(text: string, places: string | null): string | undefined {
  const [, minus = '', whole = '', part = ''] = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text) ?? []
  if (whole === '') return undefined
  if (places === null) return text
  const count = Number(places)
  const decimals = part.slice(0, count)
  if (/[^0]/.test(part.slice(count))) return undefined
  return `${minus}${whole}${count === 0 ? '' : `.${decimals.padEnd(count, '0')}`}`
}

/** Formats a date or time by a pattern, in UTC; without a pattern, as it is in the ticket. */
function momentText(text: string, type: 'date' | 'datetime', pattern: string | null): string | undefined {
  const [, date, time] = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}.*)?$/.exec(text) ?? []
  if (date === undefined || (type === 'datetime' && time === undefined)) return undefined
  const at = new Date(time === undefined ? `${date}T00:00:00Z` : text)
  if (Number.isNaN(at.getTime()) || (time === undefined && at.toISOString().slice(0, 10) !== date)) return undefined
  const iso = at.toISOString()
  if (pattern === null) return type === 'date' ? iso.slice(0, 10) : text
  const pieces: Readonly<Record<string, string>> = {
    YYYY: iso.slice(0, 4),
    MM: iso.slice(5, 7),
    DD: iso.slice(8, 10),
    HH: iso.slice(11, 13),
    mm: iso.slice(14, 16),
    ss: iso.slice(17, 19),
  }
  const known = type === 'date' ? /YYYY|MM|DD/g : /YYYY|MM|DD|HH|mm|ss/g
  return pattern.replace(known, (piece) => pieces[piece] ?? piece)
}
