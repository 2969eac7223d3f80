import type { JsonSchema } from '../contract/json-schema.ts'

/** Descriptions of patterns for error messages. */

const known: Readonly<Record<string, string>> = {
  '^[^\\u0000]*$': 'must be text without a NUL character',
  '^[^\\u0000-\\u001f\\u007f-\\u009f]*$': 'must be one line of text without control characters',
}

const ranges: Readonly<Record<string, string>> = {
  'A-Za-z': 'letters A to Z',
  'A-Z': 'upper-case letters A to Z',
  'a-f': 'letters a to f',
  'a-z': 'lower-case letters a to z',
  '0-9': 'digits',
}
const oneOfThem = /^\^\[((?:A-Za-z|A-Z|a-f|a-z|0-9|[_.:@-])+)\]\{(\d+)(?:,(\d+))?\}\$$/

/** Returns a description that follows the name of the field. */
export function patternWords({ pattern = '', examples }: JsonSchema): string {
  const words = known[pattern] ?? wordsOfClass(pattern)
  if (words !== undefined) return words
  const like = Array.isArray(examples) ? examples.map(String).join(' or ') : ''
  return like === '' ? 'has an invalid form' : `must be written like ${like}`
}

/** Describes a pattern of characters from a set. */
function wordsOfClass(pattern: string): string | undefined {
  const [, set = '', min, max] = oneOfThem.exec(pattern) ?? []
  if (min === undefined) return undefined
  const parts = set.match(/A-Za-z|A-Z|a-f|a-z|0-9|./g) ?? []
  const named = parts.flatMap((part) => ranges[part] ?? [])
  const characters = parts.filter((part) => ranges[part] === undefined)
  const all = [...named, ...(characters.length === 0 ? [] : [characters.join(' ')])]
  const last = all.pop() ?? ''
  const many = max === undefined || max === min ? min : `${min} to ${max}`
  return `must be ${many} characters: ${all.length === 0 ? last : `${all.join(', ')} and ${last}`}`
}
