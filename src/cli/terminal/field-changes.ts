import type { Shapes } from '../outcome/result-schema.ts'
import type { Glyphs } from './glyphs.ts'
import { padEnd, printable } from './text.ts'

/** A changed field. */
export interface Change {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

/** Returns the fields that differ between two states. */
export function changesBetween<T extends object>(before: T, after: T, fields: readonly (keyof T & string)[]): Change[] {
  return fields
    .map((field) => ({ field, before: textOf(before[field]), after: textOf(after[field]) }))
    .filter(({ before: was, after: is }) => was !== is)
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}

/** Formats changes as `status  active → locked`, one per line. */
export function changesText(changes: readonly Change[], { arrow }: Glyphs): string {
  const width = Math.max(0, ...changes.map(({ field }) => field.length))
  const side = (text: string | null) => printable(text ?? '(none)')
  return changes
    .map(({ field, before, after }) => `${padEnd(field, width)}  ${side(before)} ${arrow} ${side(after)}`)
    .join('\n')
}

export function changesSchema({ Type }: Shapes) {
  const text = Type.Union([Type.String(), Type.Null()])
  return Type.Array(Type.Object({ field: Type.String(), before: text, after: text }))
}
