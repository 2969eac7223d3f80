import assert from 'node:assert/strict'

/**
 * Holds what goes into a query to text, whole numbers and nothing. Drivers differ in everything else: one refuses
 * `true` and `undefined`, another stores them as text and null; one keeps a fraction in a column of whole numbers,
 * another keeps a NUL inside a text. Found here, such a value is a bug on all engines alike.
 */
export function assertPlain(values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value === 'string') assert(!value.includes('\0'), 'a text in the database has no NUL character')
    else assert(value === null || Number.isSafeInteger(value), `a ${typeof value} is no value for the database`)
  }
}
