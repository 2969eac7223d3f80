import assert from 'node:assert/strict'

/**
 * Asserts that query parameters are text, whole numbers or null. Drivers differ for everything else: one rejects `true`
 * and `undefined`, another stores them as text and null; one keeps fractions in integer columns, another keeps NUL
 * characters in texts.
 */
export function assertPlain(values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value === 'string')
      assert(!value.includes('\0'), 'a text in the database must not contain a NUL character')
    else assert(value === null || Number.isSafeInteger(value), `a ${typeof value} cannot be stored in the database`)
  }
}
