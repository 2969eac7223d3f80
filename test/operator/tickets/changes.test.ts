import { expect, test } from 'vitest'
import { positionFrom, positionText } from '../../../src/operator/tickets/changes.ts'

const cursor = { since: 1_772_366_400_000, seen: { t1: '3', t2: '1' } }

test('a position is parsed by an export with the same filter', () => {
  expect(positionFrom(positionText('open', cursor), 'open', 'position.json')).toEqual(cursor)
})

test.each([
  ['', 'not a position file'],
  ['{"since":1,"seen":{}}', 'not a position file'],
  ['[]', 'not a position file'],
  ['null', 'not a position file'],
  [positionText('open', cursor).replace('"since":1772366400000', '"since":"today"'), 'not a position file'],
  [positionText('closed', cursor), 'other filters'],
])('%j is no position of an export of open tickets', (text, reason) => {
  expect(() => positionFrom(text, 'open', 'position.json')).toThrow(new RegExp(`^position\\.json: .*${reason}`))
})
