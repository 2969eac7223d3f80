import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keys } from '../../../../../src/cli/topics/tickets/triage/session.ts'

/** Returns the keys that a file of the triage session acts on. */
function keysIn(file: string): string[] {
  const path = join(import.meta.dirname, '../../../../../src/cli/topics/tickets/triage', file)
  return [...readFileSync(path, 'utf8').matchAll(/case '([a-z])':/g)].map(([, key = '']) => key)
}

test('the help lists every key once', () => {
  const listed = keys.map((text) => text.slice(0, 1))
  const handled = [...keysIn('decisions.ts'), ...keysIn('loop.ts')].filter((key) => key !== 'h')
  expect(listed.toSorted()).toEqual([...handled, 'q'].toSorted())
})
