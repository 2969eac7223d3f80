import { type FieldFault, type FormField, fillIn, type SentValue } from '../../../domain/tickets/form.ts'
import { patternWords } from '../../../http/server/pattern-message.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import type { Form } from '../../../services/chat/api/schemas.ts'
import { nearest } from '../../../world/config/did-you-mean.ts'
import { priorityFrom } from '../chat/command.ts'
import { formNamed } from './filter.ts'

/** What is sent to make a ticket, out of what was said; all that is wrong with it is told at once. */

export interface SaidTicket {
  readonly title: string
  readonly description: string | undefined
  readonly form: string | undefined
  readonly account: string | undefined
  readonly name: string | undefined
  readonly language: string | undefined
  readonly priority: string | undefined
  readonly fields: readonly string[]
}

/** Where each field of the order was said. */
const places: Readonly<Record<string, string>> = {
  title: 'TITLE',
  description: '--description',
  formCode: '--form',
  customerAccount: '--account',
  customerDisplayName: '--name',
  customerLanguage: '--language',
  fieldValues: '--field',
}

/** The order. Without forms to read nobody knows what the instance takes: values go as text, and it judges the rest. */
export async function ticketOrder(said: SaidTicket, forms: readonly Form[] | undefined) {
  const problems: Problem[] = []
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work()
    } catch (error) {
      if (!isProblem(error)) throw error
      problems.push(error)
      return undefined
    }
  }
  const { form: formCode } = said
  const priority = said.priority === undefined ? undefined : attempt(() => priorityFrom(said.priority ?? ''))
  const sent = said.fields.flatMap((text) => attempt(() => fieldFrom(text)) ?? [])
  const form =
    forms === undefined
      ? undefined
      : formCode === undefined
        ? onlyForm(forms)
        : attempt(() => formNamed(formCode, forms))
  // Without values a form that was not named is left to the instance, which knows its default.
  const isHeld = form !== undefined && (sent.length > 0 || formCode !== undefined)
  const fieldValues: readonly SentValue[] = isHeld ? typedValues(sent, form, problems) : sent
  const order = {
    title: said.title,
    ...(formCode === undefined ? {} : { formCode }),
    ...(said.description === undefined ? {} : { description: said.description }),
    ...(said.account === undefined ? {} : { customerAccount: said.account }),
    ...(said.name === undefined ? {} : { customerDisplayName: said.name }),
    ...(said.language === undefined ? {} : { customerLanguage: said.language }),
    ...(priority === undefined ? {} : { priority }),
    ...(fieldValues.length === 0 ? {} : { fieldValues: [...fieldValues] }),
  }
  if (forms !== undefined) {
    const [{ judge }, { TicketOrder }] = await Promise.all([
      import('../../../http/server/validate.ts'),
      import('../../../services/chat/api/schemas.ts'),
    ])
    const { faults } = await judge(TicketOrder, order)
    for (const { field, message } of faults) {
      // A form that is not there was told already.
      if (field === 'formCode' && form === undefined) continue
      const told = message.replace(field, places[field] ?? field)
      problems.push(new Problem('INVALID_USAGE', told, { field }))
    }
  }
  const [first] = problems
  if (first === undefined) return order
  if (problems.length === 1) throw first
  throw new Problem('INVALID_USAGE', problems.map(({ message }) => message).join('; '), {
    faults: problems.map(({ code, message, detail: { remoteCode: _ours, ...detail } }) => ({
      code,
      message,
      ...detail,
    })),
  })
}

/** The form a ticket gets that names none, where there is but one. */
const onlyForm = (forms: readonly Form[]): Form | undefined => {
  const active = forms.filter((form) => form.active)
  return active.length === 1 ? active[0] : undefined
}

/** The values in the types the form asks for. */
function typedValues(
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
  const told = filled.faults.map(({ field, code }) => `${field} ${faultWords(code, fieldOf(field))}`)
  problems.push(
    new Problem('INVALID_FIELD_VALUES', `The form ${form.formCode} does not take this: ${told.join(', ')}`, {
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
  email: 'an e-mail address',
  phone: 'a telephone number',
  url: 'a link that begins with https://',
  integer: 'a whole number',
  decimal: 'a number such as 12.50',
  boolean: 'true or false',
  date: 'a day such as 2026-03-01',
  datetime: 'a moment such as 2026-03-01T08:30:00Z',
  select: 'one of its options',
  multiselect: 'some of its options, each once, with commas between',
}

/** What is wrong with a value, said behind the name of its field. */
function faultWords(fault: FieldFault, field: Form['fields'][number] | undefined): string {
  const { minLength, maxLength, min, max, maxSelections, pattern } = field?.validation ?? {}
  switch (fault) {
    case 'required':
      return 'is wanted'
    case 'unknown_field':
      return 'is no field of it'
    case 'duplicate_field':
      return 'is said twice'
    case 'wrong_type':
      return `must be ${field === undefined ? 'of another type' : typeWords[field.type]}`
    case 'too_short':
      return `must have ${minLength ?? 1} characters at least`
    case 'too_long':
      return `is too long${maxLength == null ? '' : `: ${maxLength} characters at most`}`
    case 'pattern':
      // Of a set of signs that may come any number of times, with or without the marks of both ends, how many is said beside it.
      return patternWords({
        pattern: `^${pattern?.replace(/^\^|\$$/g, '').replace(/\+$/, '')}{${minLength ?? 0},${maxLength ?? 1000}}$`,
      })
    case 'out_of_range':
      return `must be${min == null ? '' : ` ${min} at least`}${min == null || max == null ? '' : ' and'}${max == null ? '' : ` ${max} at most`}`
    case 'not_an_option':
      return `must be one of ${(field?.options ?? []).flatMap(({ value, active }) => (active ? [value] : [])).join(', ')}`
    case 'too_many':
      return `takes ${maxSelections ?? 1} at most`
  }
}

function noField(unknown: readonly { fieldCode: string }[], form: Form): Problem {
  const codes = form.fields.map(({ fieldCode }) => fieldCode)
  const told = unknown.map(({ fieldCode }) => {
    const near = nearest(fieldCode, codes, 1)[0]
    return near === undefined ? `"${fieldCode}"` : `"${fieldCode}" (did you mean ${near}?)`
  })
  return new Problem(
    'INVALID_FIELD_VALUES',
    `The form ${form.formCode} has no field ${told.join(', ')}; there are ${codes.join(', ')}`,
    {
      formCode: form.formCode,
      unknown: unknown.map(({ fieldCode }) => fieldCode),
      nearest: unknown.flatMap(({ fieldCode }) => nearest(fieldCode, codes, 1)),
      fields: codes,
      remoteCode: null,
    },
  )
}

function fieldFrom(text: string): { fieldCode: string; value: string } {
  const at = text.indexOf('=')
  if (at > 0) return { fieldCode: text.slice(0, at), value: text.slice(at + 1) }
  throw new Problem('INVALID_USAGE', `--field wants CODE=VALUE, not ${text}`)
}
