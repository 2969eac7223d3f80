import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { bareOrError, bareOrStatus, okData } from '../../../src/http/contract/envelopes.ts'
import { Written, wrapWritten, writing, writtenPage } from '../../../src/http/contract/preserialized.ts'

const Book = Type.Object({ title: Type.String(), pages: Type.Integer() })
const write = writing(Book)

describe('a response that is serialized once and sent unchanged', () => {
  test('is cut to its schema when it is written', () => {
    const given = { title: 'Dune "II" \u2028', pages: 412, secret: 'x' }
    expect(JSON.parse(write(given))).toEqual({ title: 'Dune "II" \u2028', pages: 412 })
  })

  test('is refused when it does not match the schema', () => {
    expect(() => write({ title: 'Dune' } as never)).toThrow('does not match its schema at pages')
  })

  test('makes pages of none, one and many, with and without other fields', () => {
    for (const count of [0, 1, 3]) {
      const items = Array.from({ length: count }, (_, i) => ({ title: `$& ${i}`, pages: i }))
      expect(writtenPage(items.map(write), { next: 'n', more: true }).read()).toEqual({ items, next: 'n', more: true })
      expect(writtenPage(items.map(write), {}).read()).toEqual({ items })
    }
  })

  test('has the envelope of each API, with any text in it', () => {
    for (const { wrap } of [okData, bareOrStatus, bareOrError]) {
      const data = { items: ['$&', 'the written reply', '"'] }
      const body = wrapWritten({ ...okData, wrap }, new Written(JSON.stringify(data)))
      expect(body).toBe(JSON.stringify(wrap(data)))
    }
  })
})
