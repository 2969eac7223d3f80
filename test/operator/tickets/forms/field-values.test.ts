import { expect, test } from 'vitest'
import type { Problem } from '../../../../src/kit/problem.ts'
import { typedValues } from '../../../../src/operator/tickets/forms/field-values.ts'
import { generalForm } from '../../../../src/services/chat/admin.ts'

const field = (fieldCode: string, type: string, more: object = {}) =>
  ({ ...generalForm.fields[0], fieldCode, type, required: false, validation: {}, options: [], ...more }) as never

const form = {
  ...generalForm,
  fields: [
    field('amount', 'integer', { validation: { min: '1', max: '50' } }),
    field('isUrgent', 'boolean'),
    field('topics', 'multiselect', {
      options: ['a', 'b', 'c'].map((value) => ({ value, label: value, active: value !== 'c' })),
    }),
    field('note', 'text', { validation: { maxLength: 5 } }),
  ],
} as never

/** Parses values given as `code=text` to their types, and returns the messages of their problems. */
function typed(...values: string[]) {
  const problems: Problem[] = []
  const sent = values.map((text) => ({
    fieldCode: text.split('=')[0] ?? '',
    value: text.slice(text.indexOf('=') + 1),
  }))
  return { values: typedValues(sent, form, problems).map(({ value }) => value), messages: problems.map(String) }
}

test('texts become values of the types of the form', () => {
  expect(typed('amount=12', 'isUrgent=true', 'topics=a,b', 'note=12')).toEqual({
    values: [12, true, ['a', 'b'], '12'],
    messages: [],
  })
})

test.each([
  ['amount=51', /amount must be at least 1 and at most 50/],
  ['amount=many', /amount must be a whole number/],
  ['isUrgent=yes', /isUrgent must be true or false/],
  ['topics=a,d', /topics must be one of a, b(?!, c)/],
  ['note=longer', /note is too long: at most 5 characters/],
])('%s is refused with its limit', (value, message) => {
  expect(typed(value).messages).toEqual([expect.stringMatching(message)])
})

test('an unknown field is named with the nearest known one', () => {
  expect(typed('amonut=1').messages[0]).toMatch(/no field "amonut" \(did you mean amount\?\); valid fields: amount, /)
})
