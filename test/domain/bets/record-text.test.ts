import { describe, expect, test } from 'vitest'
import { isOnsite, type OwnText, textIn } from '../../../src/domain/bets/record-text.ts'

const names: readonly OwnText[] = ['status', 'username', 'currency', 'winLoss']
const record = { recSeq: 1, status: 'settled', username: 'amy', currency: 'USD', winLoss: '-1.5', shoe: '' }

describe('a text field of a record', () => {
  test.each(names)('%s equals that of the parsed record', (name) => {
    expect(textIn(JSON.stringify(record), name)).toBe(record[name])
    expect(textIn(JSON.stringify({ ...record, [name]: '' }), name)).toBe('')
    expect(textIn(JSON.stringify({ [name]: 'first', ...record, [name]: 'first' }), name)).toBe('first')
  })

  test.each(['a"b', 'a\\', '\n', '"username":"bob"', '\u2028', '\\","username":"bob'])(
    'of %j is read completely',
    (username) => {
      expect(textIn(JSON.stringify({ ...record, username }), 'username')).toBe(username)
      expect(textIn(JSON.stringify({ note: username, ...record }), 'username')).toBe(
        textIn(JSON.stringify(record), 'username'),
      )
    },
  )

  test('is found between spaces too', () => {
    expect(textIn(JSON.stringify(record, null, 2), 'username')).toBe('amy')
  })

  test.each(names)('%s that is missing, or is no text, is undefined', (name) => {
    const { [name]: _, ...without } = record
    expect(textIn(JSON.stringify(without), name)).toBeUndefined()
    for (const value of [null, 5, true, ['x'], {}])
      expect(textIn(JSON.stringify({ ...record, [name]: value }), name)).toBeUndefined()
  })

  test.each(['', 'null', '5', '"username"', '[]', '{', '{"username":"am'])('of the text %s is undefined', (text) => {
    expect(textIn(text, 'username')).toBeUndefined()
  })
})

describe('a place on site', () => {
  test.each([
    [{ onsite: true }, true],
    [{ onsite: false }, false],
    [{ onsite: 'true' }, false],
    [{ onsite: null }, false],
    [{}, false],
    [{ hand: { onsite: true } }, false],
    [{ username: '"onsite":true' }, false],
  ])('of %j is one: %s', (fields, is) => {
    expect(isOnsite(JSON.stringify({ ...record, ...fields }))).toBe(is)
    expect(isOnsite(JSON.stringify({ ...record, ...fields }, null, 1))).toBe(is)
  })

  test('is none in a text that is no record', () => {
    for (const text of ['', '"onsite"', '{"onsite":true', 'null']) expect(isOnsite(text)).toBe(false)
  })
})
