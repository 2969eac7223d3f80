import { type FieldFault, type FormField, fillIn, type SentValue } from '../../../domain/tickets/form.ts'
import { patternWords } from '../../../http/server/pattern-message.ts'
import { nearest } from '../../../kit/nearest.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Form } from '../../../services/chat/api/schemas.ts'

/** Field values of a new ticket, given as text. */

/** Converts the values to the types of the form, and adds a problem for each reason to reject them. */
export function typedValues(
  sent: readonly { fieldCode: string; value: string }[],
  form: Form,
  problems: Problem[],
): readonly SentValue[] {
  const fieldOf = (code: string) => form.fields.find(({ fieldCode }) => fieldCode === code)
  const unknown = sent.filter(({ fieldCode }) => fieldOf(fieldCode) === undefined)
  if (unknown.length > 0) problems.push(noField(unknown, form))
  const values = sent.flatMap(({ fieldCode, value }) => {
    const field = fieldOf(fieldCode)
    return field === undefined ? [] : [{ fieldCode, value: typed(field.type, value) }]
  })
  const filled = fillIn(form, values)
  if ('values' in filled) return values
  const messages = filled.faults.map(({ field, code }) => `${field} ${faultWords(code, fieldOf(field))}`)
  problems.push(
    new Problem('INVALID_FIELD_VALUES', `Invalid values for form ${form.formCode}: ${messages.join(', ')}`, {
      formCode: form.formCode,
      faults: filled.faults,
      remoteCode: null,
    }),
  )
  return values
}

function typed(type: FormField['type'], value: string): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value)
  if (type === 'boolean' && /^(?:true|false)$/.test(value)) return value === 'true'
  return type === 'multiselect' ? value.split(',') : value
}

const typeWords: Readonly<Record<FormField['type'], string>> = {
  text: 'text',
  textarea: 'text',
  email: 'an email address',
  phone: 'a phone number',
  url: 'a URL that starts with https://',
  integer: 'a whole number',
  decimal: 'a number such as 12.50',
  boolean: 'true or false',
  date: 'a day such as 2026-03-01',
  datetime: 'a time such as 2026-03-01T08:30:00Z',
  select: 'one of its options',
  multiselect: 'options separated by commas, each once',
}

/** Describes the error of a value; follows the name of the field. */
function faultWords(fault: FieldFault, field: Form['fields'][number] | undefined): string {
  const { minLength, maxLength, min, max, maxSelections, pattern } = field?.validation ?? {}
  switch (fault) {
    case 'required':
      return 'is required'
    case 'unknown_field':
      return 'is not a field of the form'
    case 'duplicate_field':
      return 'is given twice'
    case 'wrong_type':
      return `must be ${field === undefined ? 'of another type' : typeWords[field.type]}`
    case 'too_short':
      return `must have at least ${minLength ?? 1} characters`
    case 'too_long':
      return `is too long${maxLength == null ? '' : `: at most ${maxLength} characters`}`
    case 'pattern':
      // A repeated character class without limits has its length limits stated in the message.
      return patternWords({
        pattern: `^${pattern?.replace(/^\^|\$$/g, '').replace(/\+$/, '')}{${minLength ?? 0},${maxLength ?? 1000}}$`,
      })
    case 'out_of_range':
      return `must be${min == null ? '' : ` at least ${min}`}${min == null || max == null ? '' : ' and'}${max == null ? '' : ` at most ${max}`}`
    case 'not_an_option':
      return `must be one of ${(field?.options ?? []).flatMap(({ value, active }) => (active ? [value] : [])).join(', ')}`
    case 'too_many':
      return `accepts at most ${maxSelections ?? 1}`
  }
}

function noField(unknown: readonly { fieldCode: string }[], form: Form): Problem {
  const codes = form.fields.map(({ fieldCode }) => fieldCode)
  const names = unknown.map(({ fieldCode }) => {
    const near = nearest(fieldCode, codes, 1)[0]
    return near === undefined ? `"${fieldCode}"` : `"${fieldCode}" (did you mean ${near}?)`
  })
  return new Problem(
    'INVALID_FIELD_VALUES',
    `Form ${form.formCode} has no field ${names.join(', ')}; valid fields: ${codes.join(', ')}`,
    {
      formCode: form.formCode,
      unknown: unknown.map(({ fieldCode }) => fieldCode),
      nearest: unknown.flatMap(({ fieldCode }) => nearest(fieldCode, codes, 1)),
      fields: codes,
      remoteCode: null,
    },
  )
}
