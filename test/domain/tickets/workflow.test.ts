import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FormDefinition, fillIn, isHarmlessPattern } from '../../../src/domain/tickets/form.ts'
import { readKeyword, searched, termsOf } from '../../../src/domain/tickets/search-terms.ts'
import {
  afterStep,
  allowedTransitions,
  statusCategories,
  stepStatus,
  type Workflow,
} from '../../../src/domain/tickets/workflow.ts'

const workflow: Workflow = {
  initialStatus: 'a',
  statuses: [
    { code: 'a', label: 'A', category: 'open' },
    { code: 'b', label: 'B', category: 'resolved' },
    { code: 'c', label: 'C', category: 'closed', active: false },
  ],
  transitions: [{ from: 'a', to: 'b', requiresComment: true }],
}

test('a status can follow another as the workflow allows; an inactive one is not a valid code', () => {
  expect(stepStatus(workflow, 'a', 'b', false)).toEqual({ step: 'needs-comment' })
  expect(stepStatus(workflow, 'a', 'b', true)).toMatchObject({ step: 'allowed', to: { code: 'b' } })
  expect(stepStatus(workflow, 'b', 'a', true)).toEqual({ step: 'forbidden' })
  expect(stepStatus(workflow, 'b', 'b', false)).toEqual({ step: 'same' })
  expect(stepStatus(workflow, 'a', 'c', true)).toEqual({ step: 'unknown' })
  expect(allowedTransitions({ ...workflow, transitions: null }, 'a')).toEqual(['b'])
})

test('a transition from * applies from any status, to its target only', () => {
  const any: Workflow = {
    ...workflow,
    statuses: [...workflow.statuses, { code: 'd', label: 'D', category: 'waiting' }],
    transitions: [
      { from: '*', to: 'b' },
      { from: 'b', to: 'd' },
    ],
  }
  expect(['a', 'b', 'd'].map((from) => allowedTransitions(any, from))).toEqual([['b'], ['d'], ['b']])
  expect(stepStatus(any, 'd', 'b', false)).toMatchObject({ step: 'allowed' })
  expect(stepStatus(any, 'a', 'd', false)).toEqual({ step: 'forbidden' })
  expect(stepStatus(any, 'b', 'a', false)).toEqual({ step: 'forbidden' })
})

test('leaving a done status counts as a reopening, and nothing else does', () => {
  const fresh = { resolvedAt: null, closedAt: null, reopenCount: 0 }
  for (const from of statusCategories)
    for (const to of statusCategories) {
      const after = afterStep(fresh, from, to, 7)
      const [wasDone, isDone] = [from, to].map((each) => each === 'resolved' || each === 'closed')
      expect([from, to, after.reopenCount]).toEqual([from, to, wasDone && !isDone ? 1 : 0])
      expect(after.resolvedAt).toBe(isDone ? 7 : null)
      expect(after.closedAt).toBe(to === 'closed' ? 7 : null)
    }
})

describe('fields', () => {
  const form = (type: FormDefinition['fields'][number]['type'], validation = {}): FormDefinition => ({
    title: '',
    description: '',
    workflow,
    fields: [
      {
        fieldCode: 'f',
        label: '',
        type,
        required: false,
        visibleToCustomer: true,
        validation,
        options: [
          { value: 'x', label: '' },
          { value: 'y', label: '', active: false },
        ],
        requiredOnStatus: [],
      },
    ],
  })
  const faultOf = (definition: FormDefinition, value: unknown) => {
    const filled = fillIn(definition, [{ fieldCode: 'f', value }])
    return 'faults' in filled ? filled.faults[0]?.code : undefined
  }
  test.each([
    ['email', 'a@b.co', undefined],
    ['email', 'a@b', 'wrong_type'],
    ['phone', '+886 2 1234-5678', undefined],
    ['phone', 'x', 'wrong_type'],
    ['url', 'https://a.b/c', undefined],
    ['url', 'javascript:alert(1)', 'wrong_type'],
    ['integer', 1.5, 'wrong_type'],
    ['integer', '1', 'wrong_type'],
    ['decimal', '-0.5', undefined],
    ['decimal', '1e3', 'wrong_type'],
    ['decimal', 1, 'wrong_type'],
    ['boolean', false, undefined],
    ['boolean', 'no', 'wrong_type'],
    ['date', '2026-02-28', undefined],
    ['date', '2026-02-29', 'wrong_type'],
    ['datetime', '2026-03-01T10:00:00Z', undefined],
    ['datetime', '2026-03-01 10:00', 'wrong_type'],
    ['select', 'x', undefined],
    ['select', 'y', 'not_an_option'],
    ['multiselect', ['x'], undefined],
    ['multiselect', ['x', 'x'], 'wrong_type'],
    ['multiselect', 'x', 'wrong_type'],
    ['text', 'a\0b', 'wrong_type'],
    ['text', {}, 'wrong_type'],
  ] as const)('%s accepts %j: %s', (type, value, fault) => {
    expect(faultOf(form(type), value)).toBe(fault)
  })

  test('limits of decimals are exact to the last digit', () => {
    const bounded = form('decimal', { min: '0.1', max: '9007199254740993.000000000000000001' })
    expect(faultOf(bounded, '0.099999999999999999')).toBe('out_of_range')
    expect(faultOf(bounded, '0.1')).toBeUndefined()
    expect(faultOf(form('decimal', { max: '0.3' }), '0.300000000000000001')).toBe('out_of_range')
  })

  test.each([
    '(a+)+b',
    '(a|a)*b',
    '(?=a)b',
    '(a)\\1',
    'a*b*c*',
    '(a{2,}){3}',
    '[',
    'x'.repeat(201),
    `${'a?'.repeat(40)}${'a'.repeat(40)}`,
    '(a|a)'.repeat(30),
    'a{0,999}a{0,999}a{0,999}b',
  ])('the pattern %j is refused', (pattern) => {
    expect(isHarmlessPattern(pattern)).toBe(false)
  })
  test.each([
    '[A-Za-z0-9_.:-]+',
    '(?:TX|RF)-?[0-9]{4,12}',
    '\\d+\\.\\d+',
    '^[A-Za-z0-9_.:-]+$',
    '(?:A|B|C|D)[0-9]{1,8}',
    '[+?|*]+',
    'https?://[^/]+(/.*)?',
  ])('the pattern %j is accepted', (pattern) => {
    expect(isHarmlessPattern(pattern)).toBe(true)
  })
})

describe('the search', () => {
  const cjk = fc.string({
    unit: fc.constantFrom('存', '款', '没', '有', '到', '帳', 'あ', 'ไ'),
    minLength: 1,
    maxLength: 12,
  })
  /** The database's processing of the terms, in a few lines. */
  const finds = (text: string, keyword: string) => {
    const search = readKeyword(keyword)
    if (typeof search === 'string') return false
    const { words, otherTerms: others } = termsOf(text)
    const terms = [...words, ...others]
    const whole = searched(text)
    return (
      search.exact.every((each) => whole.includes(each)) &&
      search.questions.every((each) =>
        each.kind === 'term'
          ? others.has(each.term)
          : each.kind === 'prefix'
            ? terms.some((term) => term.startsWith(each.prefix))
            : [...words].some((word) => word.includes(each.part)),
      )
    )
  }

  test('finds the terms that a text contains, of any script, and no others', () => {
    const units = [
      'a',
      'B',
      'é',
      '1',
      'ж',
      '存',
      '款',
      'あ',
      '한',
      'ไ',
      '%',
      '_',
      '\\',
      '€',
      '😀',
      '-',
      '.',
      '…',
      'Ａ',
      ' ',
      '\n',
    ]
    const mixed = (maxLength: number) =>
      fc.string({ unit: fc.constantFrom(...units), minLength: 1, maxLength }).filter((each) => searched(each) !== '')
    fc.assert(
      fc.property(mixed(40), mixed(4), fc.nat(), fc.integer({ min: 1, max: 6 }), (text, other, start, length) => {
        const characters = [...text]
        const piece = characters.slice(start % characters.length, (start % characters.length) + length).join('')
        for (const keyword of [other, piece].map((each) => searched(each)).filter((each) => each !== ''))
          expect([keyword, finds(text, `"${keyword}"`)]).toEqual([keyword, searched(text).includes(keyword)])
      }),
    )
  })

  test('finds every part of text without spaces, of any length, and no others', () => {
    fc.assert(
      fc.property(cjk, cjk, (text, keyword) => {
        expect(finds(text, keyword)).toBe(text.includes(keyword))
      }),
    )
  })

  test('finds every part of a word from three letters on, for any length of the word', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 3, maxLength: 150 })
    fc.assert(
      fc.property(word, fc.nat(), fc.integer({ min: 3, max: 40 }), (text, start, length) => {
        const at = start % text.length
        const part = text.slice(at, at + length)
        if (part.length >= 3) expect(finds(text, part)).toBe(true)
      }),
    )
  })

  test('requires all terms, matches phrases unchanged, and numbers by their sign', () => {
    expect(readKeyword('#12 "ab  cd" e% 存款 x')).toEqual({
      numbers: [12],
      texts: ['ab cd', 'e%', '存款', 'x'],
      questions: [
        { kind: 'word', part: 'ab' },
        { kind: 'word', part: 'cd' },
        { kind: 'term', term: '%' },
        { kind: 'term', term: '存款' },
      ],
      exact: ['ab cd', 'e%', 'x'],
    })
    expect(readKeyword('!? …')).toMatchObject({ texts: ['!?', '...'] })
    expect(readKeyword(' "" ')).toBe('nothing')
    const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(' ')
    expect(readKeyword(words(10))).toMatchObject({ questions: { length: 10 } })
    expect(readKeyword(words(11))).toBe('too much')
    // A repeated search needs no further terms.
    expect(readKeyword('a '.repeat(50))).toMatchObject({ texts: ['a'], exact: ['a'], questions: [] })
  })
})
