import { describe, expect, test } from 'vitest'
import { fieldFaults } from '../../../src/domain/tickets/form.ts'
import { statusCategories } from '../../../src/domain/tickets/workflow.ts'
import { saveForm } from '../../../src/services/chat/admin.ts'
import { shared } from '../shared.ts'
import { aHelpdesk, ask } from './ask.ts'
import * as book from './forms.ts'

const workflow = {
  initialStatus: 'open',
  statuses: [{ code: 'open', label: 'Open', category: 'open' as const }],
  transitions: null,
}
const options = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B' },
]

const helpdesk = shared(async (world) => {
  const shop = await aHelpdesk(world)
  const base = { required: false, visibleToCustomer: true, validation: {}, requiredOnStatus: [] }
  for (const { type } of book.fieldTypes) {
    const choice = type === 'select' || type === 'multiselect' ? { options } : {}
    const fields = [{ ...base, ...choice, fieldCode: 'f', label: 'F', type }]
    await saveForm(world.chat, shop.code, type, { title: type, description: '', fields, workflow })
  }
  const limits = { minLength: 2, maxLength: 4, pattern: '^[a-z]+$' }
  const fields = [
    { ...base, fieldCode: 'must', label: 'Must', type: 'text' as const, required: true, validation: limits },
    { ...base, fieldCode: 'count', label: 'Count', type: 'integer' as const, validation: { min: '1', max: '9' } },
    { ...base, fieldCode: 'sum', label: 'Sum', type: 'decimal' as const, validation: { min: '0.01', max: '10' } },
    { ...base, fieldCode: 'pick', label: 'Pick', type: 'select' as const, options },
    {
      ...base,
      fieldCode: 'many',
      label: 'Many',
      type: 'multiselect' as const,
      options,
      validation: { maxSelections: 1 },
    },
  ]
  await saveForm(world.chat, shop.code, 'limits', { title: 'Limits', description: '', fields, workflow })
  return shop
})

const filling = (formCode: string, fieldValues: readonly object[]) =>
  ask(helpdesk(), 'POST /tickets', { formCode, title: 'x', fieldValues })

test('the faults and the categories are those of the tables', () => {
  expect([...fieldFaults].toSorted()).toEqual([...book.fieldFaults].toSorted())
  expect(statusCategories).toEqual(book.statusCategories)
})

describe('field types', () => {
  const rows = book.fieldTypes.flatMap(({ type, accepts, refuses }) => [
    ...accepts.map((value) => ({ type, value, is: true })),
    ...refuses.map((value) => ({ type, value, is: false })),
  ])
  test.each(rows)('$type accepts $value: $is', async ({ type, value, is }) => {
    const { status, body } = await filling(type, [{ fieldCode: 'f', value }])
    expect(status).toBe(is ? 201 : 400)
    if (is) expect(body.fieldValues).toEqual([{ fieldCode: 'f', value }])
    else {
      expect(body.error.code).toBe('INVALID_FIELD_VALUES')
      expect(body.error.details[0]).toMatchObject({ code: 'wrong_type' })
    }
  })
})

describe('faults', () => {
  const must = { fieldCode: 'must', value: 'abc' }
  const one = (fieldCode: string, value: unknown) => [must, { fieldCode, value }]
  test.each<{ values: readonly object[]; fault: string | null }>([
    { values: [must], fault: null },
    { values: [], fault: 'required' },
    { values: one('other', 'x'), fault: 'unknown_field' },
    { values: [must, must], fault: 'duplicate_field' },
    { values: [{ fieldCode: 'must', value: 'a' }], fault: 'too_short' },
    { values: [{ fieldCode: 'must', value: 'ab' }], fault: null },
    { values: [{ fieldCode: 'must', value: 'abcd' }], fault: null },
    { values: [{ fieldCode: 'must', value: 'abcde' }], fault: 'too_long' },
    { values: [{ fieldCode: 'must', value: 'AB' }], fault: 'pattern' },
    { values: one('count', 0), fault: 'out_of_range' },
    { values: one('count', 1), fault: null },
    { values: one('count', 9), fault: null },
    { values: one('count', 10), fault: 'out_of_range' },
    { values: one('sum', '0.009'), fault: 'out_of_range' },
    { values: one('sum', '0.01'), fault: null },
    { values: one('sum', '10'), fault: null },
    { values: one('sum', '10.001'), fault: 'out_of_range' },
    { values: one('pick', 'c'), fault: 'not_an_option' },
    { values: one('many', ['a']), fault: null },
    { values: one('many', ['a', 'b']), fault: 'too_many' },
    { values: one('many', ['c']), fault: 'not_an_option' },
  ])('$values: $fault', async ({ values, fault }) => {
    const { status, body } = await filling('limits', values)
    expect(status).toBe(fault === null ? 201 : 400)
    if (fault) expect(body.error.details.map((each: { code: string }) => each.code)).toContain(fault)
  })

  test('all faults are in one response', async () => {
    const values = [
      { fieldCode: 'must', value: 'a' },
      { fieldCode: 'count', value: 0 },
      { fieldCode: 'other', value: 1 },
      { fieldCode: 'pick', value: 'c' },
    ]
    const { body } = await filling('limits', values)
    const codes = body.error.details.map((each: { code: string }) => each.code)
    expect(codes.toSorted()).toEqual(['not_an_option', 'out_of_range', 'too_short', 'unknown_field'])
  })
})
