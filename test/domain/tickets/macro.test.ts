import { describe, expect, test } from 'vitest'
import { canBe, expectedTypeFrom, fillMacro, partsOf, type Variable } from '../../../src/domain/tickets/macro.ts'

const filled = (text: string, variable: Variable | undefined) =>
  fillMacro({ name: 'm', texts: { default: partsOf(text, () => 3).parts } }, null, variable ? { v: variable } : {})

describe('the parts of a text', () => {
  const reference = { variable: 'v', expected: null, line: 3 }
  test.each([
    ['{{v}}', [reference]],
    ['a{{v}}', ['a', reference]],
    ['{{v}}b', [reference, 'b']],
    ['{{v}}{{v}}', [reference, reference]],
    ['a {{ v }} b', ['a ', reference, ' b']],
    ['ab', ['ab']],
    ['', []],
  ])('of %j', (text, parts) => {
    expect(partsOf(text, () => 3)).toEqual({ parts, faults: [] })
  })

  test('a fault quotes the text', () => {
    expect(partsOf('a {{ 1 }}', () => 3).faults).toEqual([{ index: 2, text: '{{ 1 }} is not a valid variable' }])
    expect(partsOf('{{v|text(5)}}', () => 3).faults).toEqual([
      { index: 0, text: '{{v|text(5)}}: text takes no format' },
    ])
  })

  test('the expected type of a variable elsewhere applies if the text names none', () => {
    const want = expectedTypeFrom('decimal(2)')
    if (typeof want === 'string') throw new Error(want)
    expect(partsOf('{{v}}{{v|integer}}', () => 3, { v: want }).parts).toMatchObject([
      { expected: { type: 'decimal', format: '2' } },
      { expected: { type: 'integer', format: null } },
    ])
  })
})

test.each([
  ['decimal(18)', { type: 'decimal', format: '18' }],
  ['decimal(0)', { type: 'decimal', format: '0' }],
  ['list(; )', { type: 'list', format: '; ' }],
  ['label', { type: 'label', format: null }],
])('%s is expected as %j', (text, want) => {
  expect(expectedTypeFrom(text)).toEqual(want)
})

test.each<[have: Variable['type'], expected: Parameters<typeof canBe>[1], expected: boolean]>([
  ['any', 'date', true],
  ['date', 'text', true],
  ['date', 'date', true],
  ['datetime', 'date', true],
  ['date', 'datetime', false],
  ['text', 'date', false],
  ['datetime', 'integer', false],
  ['integer', 'decimal', true],
  ['decimal', 'integer', false],
  ['boolean', 'decimal', false],
  ['text', 'label', true],
  ['list', 'label', true],
  ['integer', 'label', false],
])('what is %s can be written as %s: %s', (have, want, expected) => {
  expect(canBe(have, want)).toBe(expected)
})

describe('the output', () => {
  test.each<[text: string, variable: Variable, written: string]>([
    ['{{v}}', { type: 'any', value: 'x' }, 'x'],
    ['{{v}}', { type: 'integer', value: 7 }, '7'],
    ['{{v | boolean(ja/nein)}}', { type: 'boolean', value: true }, 'ja'],
    ['{{v | boolean}}', { type: 'any', value: 'false' }, 'false'],
    ['{{v | datetime}}', { type: 'any', value: '2026-03-01T05:06:07Z' }, '2026-03-01T05:06:07Z'],
  ])('%s of %j: %s', (text, variable, written) => {
    expect(filled(text, variable)).toEqual({ text: written, language: 'default' })
  })

  const long = (count: number) => 'abcdefghij'.repeat(10).slice(0, count)
  test.each<[text: string, variable: Variable | undefined, fault: string]>([
    ['{{v}}', undefined, 'does not exist'],
    ['{{v}}', { type: 'text', value: '' }, 'is empty'],
    ['{{v}}', { type: 'list', value: [] }, 'is empty'],
    ['{{v | integer}}', { type: 'text', value: 'x' }, 'is "x" (text), not an integer'],
    ['{{v | decimal}}', { type: 'any', value: 'x' }, 'is "x", not a decimal'],
    ['{{v | boolean}}', { type: 'any', value: 'maybe' }, 'is "maybe", not a boolean'],
    ['{{v | datetime}}', { type: 'any', value: '2026-03-01' }, 'is "2026-03-01", not a datetime'],
    ['{{v | decimal}}', { type: 'any', value: long(58) }, `is "${long(58)}", not a decimal`],
    ['{{v | decimal}}', { type: 'any', value: long(59) }, `is "${long(59)}…, not a decimal`],
    ['{{v | decimal}}', { type: 'any', value: long(90) }, `is "${long(59)}…, not a decimal`],
  ])('%s of %j: %s', (text, variable, fault) => {
    expect(filled(text, variable)).toMatchObject({ faults: [{ variable: 'v', line: 3, text: fault }] })
  })
})

test('the language of a text can be written with an underscore, and a more specific one falls back to it', () => {
  const texts = { default: ['a'], zh_Hant: ['b'], 'zh-Hant-TW': ['c'] }
  const languages = ['zh-hant', 'zh_HANT_HK', 'ZH-HANT-TW', 'zh', 'pt', null]
  expect(languages.map((language) => fillMacro({ name: 'm', texts }, language, {}))).toEqual([
    { text: 'b', language: 'zh-hant' },
    { text: 'b', language: 'zh-hant' },
    { text: 'c', language: 'zh-hant-tw' },
    ...Array(3).fill({ text: 'a', language: 'default' }),
  ])
})
