import { Placeholder, type SampleValue } from './sample.ts'

/** Notation of values in a language. */
export interface Notation {
  /** Text, number, boolean or null. */
  scalar(value: string | number | boolean | null): string
  placeholder(value: Placeholder): string
  /** A key and its separator. */
  key(name: string): string
  readonly object: readonly [string, string]
  readonly list: readonly [string, string]
  /** True if a space follows the bracket of an object on one line. */
  readonly pads?: boolean
}

const maxWidth = 92

/** Writes a value on one line, or on several if it is too long. `before` is the width of what precedes it on its line. */
export function written(notation: Notation, value: SampleValue, step: string, before = 0, indent = ''): string {
  if (value instanceof Placeholder) return notation.placeholder(value)
  if (typeof value !== 'object' || value === null) return notation.scalar(value)
  const isList = Array.isArray(value)
  const [open, close] = isList ? notation.list : notation.object
  const entries: [string, SampleValue][] = isList
    ? value.map((each) => ['', each])
    : Object.entries(value).map(([name, each]) => [notation.key(name), each])
  if (entries.length === 0) return open + close
  const inner = indent + step
  const short = entries.map(([key, each]) => key + written(notation, each, step, inner.length + key.length, inner))
  const padding = notation.pads && !isList ? ' ' : ''
  const line = `${open}${padding}${short.join(', ')}${padding}${close}`
  if (line.length + before <= maxWidth && !line.includes('\n')) return line
  return `${open}\n${short.map((each) => `${inner}${each},\n`).join('')}${indent}${close}`
}
