import type { JsonSchema } from '../contract/json-schema.ts'

/** What a pattern asks for, in words: a refusal is read by people, and few of them read patterns. */

const known: Readonly<Record<string, string>> = {
  '^[^\\u0000]*$': 'must be text without a NUL character',
  '^[^\\u0000-\\u001f\\u007f-\\u009f]*$': 'must be one line of text without control characters',
}

const ranges: Readonly<Record<string, string>> = {
  'A-Za-z': 'letters of A to Z',
  'A-Z': 'capital letters of A to Z',
  'a-f': 'letters of a to f',
  'a-z': 'small letters of a to z',
  '0-9': 'digits',
}
const oneOfThem = /^\^\[((?:A-Za-z|A-Z|a-f|a-z|0-9|[_.:@-])+)\]\{(\d+)(?:,(\d+))?\}\$$/

/** Said behind the name of the field. */
export function patternWords({ pattern = '', examples }: JsonSchema): string {
  const words = known[pattern] ?? wordsOfClass(pattern)
  if (words !== undefined) return words
  const like = Array.isArray(examples) ? examples.map(String).join(' or ') : ''
  return like === '' ? 'is not of the form it must have' : `must be written like ${like}`
}

/** A text that is so many characters out of a set. */
function wordsOfClass(pattern: string): string | undefined {
  const [, set = '', least, most] = oneOfThem.exec(pattern) ?? []
  if (least === undefined) return undefined
  const parts = set.match(/A-Za-z|A-Z|a-f|a-z|0-9|./g) ?? []
  const named = parts.flatMap((part) => ranges[part] ?? [])
  const signs = parts.filter((part) => ranges[part] === undefined)
  const all = [...named, ...(signs.length === 0 ? [] : [signs.join(' ')])]
  const last = all.pop() ?? ''
  const many = most === undefined || most === least ? least : `${least} to ${most}`
  return `must be ${many} characters: ${all.length === 0 ? last : `${all.join(', ')} and ${last}`}`
}
