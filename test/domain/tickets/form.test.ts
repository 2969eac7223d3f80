import { describe, expect, test } from 'vitest'
import {
  type FormDefinition,
  type FormField,
  faultIn,
  fillIn,
  isBelow,
  isHarmlessPattern,
  lackingFor,
} from '../../../src/domain/tickets/form.ts'

const aField = (more: Partial<FormField> = {}): FormField => ({
  fieldCode: 'f',
  label: '',
  type: 'text',
  required: false,
  visibleToCustomer: true,
  validation: {},
  requiredOnStatus: [],
  ...more,
})
const aForm = (...fields: FormField[]): FormDefinition => ({
  title: '',
  description: '',
  fields,
  workflow: { initialStatus: 'a', statuses: [], transitions: null },
})
const two = [aField({ fieldCode: 'g' }), aField()]
const needed = [aField({ fieldCode: 'g', required: true }), aField({ required: true })]
const sent = (values: Record<string, unknown>) =>
  Object.entries(values).map(([fieldCode, value]) => ({ fieldCode, value }))

describe('filling in', () => {
  test.each<[FormField[], Record<string, unknown>, Record<string, unknown>]>([
    [two, {}, {}],
    [two, { f: 'x' }, { f: 'x' }],
    [[aField({ default: 'd' })], {}, { f: 'd' }],
    [[aField({ default: 'd' })], { f: 'x' }, { f: 'x' }],
    [[aField({ default: 'd' })], { f: '' }, { f: 'd' }],
    [[aField({ default: '' })], {}, {}],
    [[aField({ default: null })], {}, {}],
    [[aField({ default: 'd' }), aField({ fieldCode: 'g', default: 'e' })], { f: 'x' }, { f: 'x', g: 'e' }],
    [needed, { f: 'x', g: 'y' }, { f: 'x', g: 'y' }],
  ])('%j with %j: %j', (fields, given, values) => {
    expect(fillIn(aForm(...fields), sent(given))).toEqual({ values: sent(values) })
  })

  test.each<[FormField[], Record<string, unknown>, string[]]>([
    [two, { x: 1 }, ['x unknown_field']],
    [needed, {}, ['g required', 'f required']],
    [needed, { f: 'x' }, ['g required']],
    [needed, { f: 'x', g: null }, ['g required']],
    [needed, { f: 'x', g: [] }, ['g required']],
    [needed, { f: 'x', g: '' }, ['g required']],
    // An invalid value is not also missing.
    [needed, { f: 5 }, ['f wrong_type', 'g required']],
    [[aField({ required: true, default: '' })], {}, ['f required']],
  ])('%j with %j is refused: %j', (fields, given, faults) => {
    expect(fillIn(aForm(...fields), sent(given))).toEqual({
      faults: faults.map((fault) => ({ field: fault.split(' ')[0], code: fault.split(' ')[1] })),
    })
  })

  test('a field sent twice is refused', () => {
    const twice = [...sent({ f: 'x' }), ...sent({ f: 'y' })]
    expect(fillIn(aForm(...two), twice)).toEqual({ faults: [{ field: 'f', code: 'duplicate_field' }] })
  })

  test('a status lists its required fields without a value', () => {
    const form = aForm(
      aField({ requiredOnStatus: ['done'] }),
      aField({ fieldCode: 'g', requiredOnStatus: ['done', 'late'] }),
      aField({ fieldCode: 'h' }),
    )
    expect(lackingFor(form, [], 'done')).toEqual(['f', 'g'])
    expect(lackingFor(form, [{ fieldCode: 'f', value: 'x' }], 'done')).toEqual(['g'])
    expect(
      lackingFor(
        form,
        [
          { fieldCode: 'g', value: 'x' },
          { fieldCode: 'h', value: 'x' },
        ],
        'done',
      ),
    ).toEqual(['f'])
    expect(lackingFor(form, [], 'late')).toEqual(['g'])
  })
})

describe('a value', () => {
  const options = ['x', 'y', 'z'].map((value) => ({ value, label: '' }))
  const letters = (count: number) => 'a'.repeat(count)
  test.each<[Partial<FormField>, unknown, string | undefined]>([
    [{ type: 'multiselect', options }, ['x', 5], 'wrong_type'],
    [{ type: 'multiselect', options }, ['x', 'q'], 'not_an_option'],
    [{ type: 'multiselect', options }, ['x', 'y', 'z'], undefined],
    [{ type: 'multiselect', options, validation: { maxSelections: 2 } }, ['x'], undefined],
    [{ type: 'multiselect', options, validation: { maxSelections: 2 } }, ['x', 'y'], undefined],
    [{ type: 'multiselect', options, validation: { maxSelections: 2 } }, ['x', 'y', 'z'], 'too_many'],
    [{ validation: { minLength: 2 } }, 'a', 'too_short'],
    [{ validation: { minLength: 2 } }, 'ab', undefined],
    [{ validation: { minLength: 2 } }, '😀', 'too_short'],
    [{ validation: { maxLength: 2 } }, '😀😀', undefined],
    [{ validation: { maxLength: 2 } }, 'abc', 'too_long'],
    [{ validation: {} }, '', undefined],
    [{ validation: {} }, letters(5000), undefined],
    [{ validation: {} }, letters(5001), 'too_long'],
    [{ validation: { maxLength: 9000 } }, letters(5001), 'too_long'],
    [{ validation: { pattern: 'a+' } }, letters(1000), undefined],
    [{ validation: { pattern: 'a+' } }, letters(1001), 'too_long'],
    [{ validation: { pattern: 'a+' } }, 'aab', 'pattern'],
    [{ type: 'datetime' }, '2026-02-30T10:00:00Z', 'wrong_type'],
    [{ type: 'datetime' }, '2026-02-28T25:00:00Z', 'wrong_type'],
    [{ type: 'integer', validation: { min: '-5', max: '5' } }, -5, undefined],
    [{ type: 'integer', validation: { min: '-5', max: '5' } }, -6, 'out_of_range'],
    [{ type: 'integer', validation: { min: '-5', max: '5' } }, 5, undefined],
    [{ type: 'integer', validation: { min: '-5', max: '5' } }, 6, 'out_of_range'],
    [{ type: 'decimal', validation: { max: '0.000000000000000001' } }, '0.000000000000000001', undefined],
  ])('of %j', (field, value, fault) => {
    expect(faultIn(aField(field), value)).toBe(fault)
  })

  test.each([
    ['1', '2', true],
    ['2', '2', false],
    ['2', '2.0', false],
    ['2', '1', false],
    ['-2', '-1', true],
    ['-1', '1', true],
    ['1', '-1', false],
    ['0.9', '0.10', false],
    ['9.5', '10', true],
    ['0', '0.000000000000000001', true],
  ])('%s is below %s: %s', (value, bound, expected) => {
    expect(isBelow(value, bound)).toBe(expected)
  })
})

test.each([
  ['200 characters', 'x'.repeat(200), true],
  ['201 characters', 'x'.repeat(201), false],
  ['two endless repetitions', 'a*b+', true],
  ['three of them', 'a*b+c{2,}', false],
  ['two of them and eight ways', 'a*b*c?d?e?', true],
  ['two of them and eight ways by number', 'a*b*c{1,8}', true],
  ['two of them and nine ways', 'a*b*c{1,9}', false],
  ['two of them and nine ways from none', 'a*b*c{0,8}', false],
  ['two of them and eight ways by choice', 'a*b*(?:c|d)(?:e|f)(?:g|h)', true],
  ['8,000,000 ways', 'a{1,8000000}', true],
  ['one more', 'a{0,8000000}', false],
  ['two of them and sixteen ways', 'a*b*c?d?e?f?', false],
])('a pattern with %s is harmless: %s, %s', (_, pattern, expected) => {
  expect(isHarmlessPattern(pattern)).toBe(expected)
})
