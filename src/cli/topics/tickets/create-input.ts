import type { SentValue } from '../../../domain/tickets/form.ts'
import { validateInput } from '../../../http/server/validate.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import { typedValues } from '../../../operator/tickets/forms/field-values.ts'
import { formNamed } from '../../../operator/tickets/statuses.ts'
import { type Form, TicketInput } from '../../../services/chat/api/schemas.ts'
import { priorityFrom } from '../chat/priority.ts'

/** Builds the request for a new ticket. All errors of the input are reported together. */

export interface TicketValues {
  readonly title: string
  readonly description: string | undefined
  readonly form: string | undefined
  readonly account: string | undefined
  readonly name: string | undefined
  readonly language: string | undefined
  readonly priority: string | undefined
  readonly fields: readonly string[]
}

/** Flag or argument of each request field. */
const sources: Readonly<Record<string, string>> = {
  title: 'TITLE',
  description: '--description',
  formCode: '--form',
  customerAccount: '--account',
  customerDisplayName: '--name',
  customerLanguage: '--language',
  fieldValues: '--field',
}

/** Builds the request. If forms cannot be read, values are sent as text and the instance validates them. */
export async function ticketInput(values: TicketValues, forms: readonly Form[] | undefined) {
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
  const { form: formCode } = values
  const priority = values.priority === undefined ? undefined : attempt(() => priorityFrom(values.priority ?? ''))
  const sent = values.fields.flatMap((text) => attempt(() => fieldFrom(text)) ?? [])
  const form =
    forms === undefined
      ? undefined
      : formCode === undefined
        ? onlyForm(forms)
        : attempt(() => formNamed(formCode, forms))
  // Without values the instance can choose its default form.
  const isHeld = form !== undefined && (sent.length > 0 || formCode !== undefined)
  const fieldValues: readonly SentValue[] = isHeld ? typedValues(sent, form, problems) : sent
  const input = {
    title: values.title,
    ...(formCode === undefined ? {} : { formCode }),
    ...(values.description === undefined ? {} : { description: values.description }),
    ...(values.account === undefined ? {} : { customerAccount: values.account }),
    ...(values.name === undefined ? {} : { customerDisplayName: values.name }),
    ...(values.language === undefined ? {} : { customerLanguage: values.language }),
    ...(priority === undefined ? {} : { priority }),
    ...(fieldValues.length === 0 ? {} : { fieldValues: [...fieldValues] }),
  }
  if (forms !== undefined) {
    const { faults } = await validateInput(TicketInput, input)
    for (const { field, message } of faults) {
      // An unknown form was already reported.
      if (field === 'formCode' && form === undefined) continue
      const text = message.replace(field, sources[field] ?? field)
      problems.push(new Problem('INVALID_USAGE', text, { field }))
    }
  }
  const [first] = problems
  if (first === undefined) return input
  if (problems.length === 1) throw first
  throw new Problem('INVALID_USAGE', problems.map(({ message }) => message).join('; '), {
    faults: problems.map(({ code, message, detail: { remoteCode: _ours, ...detail } }) => ({
      code,
      message,
      ...detail,
    })),
  })
}

/** Returns the default form if there is exactly one form. */
const onlyForm = (forms: readonly Form[]): Form | undefined => {
  const active = forms.filter((form) => form.active)
  return active.length === 1 ? active[0] : undefined
}

function fieldFrom(text: string): { fieldCode: string; value: string } {
  const at = text.indexOf('=')
  if (at > 0) return { fieldCode: text.slice(0, at), value: text.slice(at + 1) }
  throw new Problem('INVALID_USAGE', `--field must have the form CODE=VALUE; received ${text}`)
}
