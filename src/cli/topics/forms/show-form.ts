import { nearest } from '../../../kit/nearest.ts'
import { Problem } from '../../../kit/problem.ts'
import { statusesOfForm } from '../../../operator/tickets/forms/form-statuses.ts'
import { listTickets } from '../../../operator/tickets/list.ts'
import type { Form } from '../../../services/chat/api/schemas.ts'
import type { CommandContext } from '../../context/context.ts'

/** Shows a form, or its statuses if the instance does not support reading forms. */
export async function showForm(context: CommandContext, formCode: string) {
  const ticketsApi = await context.services.tickets()
  const forms = (await ticketsApi.forms())?.items
  if (forms === undefined) return showLearnedStatuses(context, formCode)
  const form = formIn(forms, formCode)
  const statuses = statusesOfForm(form)
  context.fields({ ...form, first: form.workflow.initialStatus }, [
    { key: 'formCode', title: 'form' },
    'title',
    'version',
    { key: 'active', title: 'offered' },
    { key: 'first', title: 'initial status' },
  ])
  context.log('')
  context.table(
    form.fields.map((field) => ({
      ...field,
      wanted: field.required ? 'always' : field.requiredOnStatus.join(', '),
      choices: (field.options ?? []).map(({ value }) => value).join(', '),
    })),
    [
      { key: 'fieldCode', title: 'field', whole: true },
      'label',
      'type',
      { key: 'wanted', title: 'required' },
      { key: 'choices' },
    ],
    'No fields.',
  )
  context.log('')
  printStatuses(context, statuses)
  return { formCode: form.formCode, form, statuses, knownBy: 'form' as const }
}

function formIn(forms: readonly Form[], formCode: string): Form {
  const form = forms.find((each) => each.formCode === formCode)
  if (form) return form
  const codes = forms.map((each) => each.formCode)
  const near = nearest(formCode, codes, 1)[0]
  throw new Problem(
    'FORM_NOT_FOUND',
    `Form "${formCode}" not found; ${near === undefined ? `available: ${codes.join(', ')}` : `did you mean "${near}"?`}`,
    { formCode, nearest: near, forms: codes, remoteCode: null },
  )
}

async function showLearnedStatuses(context: CommandContext, formCode: string) {
  const ticketsApi = await context.services.tickets()
  const [first] = (await listTickets(ticketsApi, { formCode }, 1)).tickets
  if (!first)
    throw new Problem(
      'CANNOT_CONCLUDE',
      `Cannot determine the statuses of form ${formCode}: no ticket uses it. Run the command again when one does`,
      {
        formCode,
      },
    )
  const { codes, knownBy } = await ticketsApi.workflowOf(first)
  const statuses = codes.map((code) => ({ code, label: null, category: null, next: null }))
  context.note('This instance does not support reading forms. The status codes come from its error response.')
  printStatuses(context, statuses)
  return { formCode, form: null, statuses, knownBy }
}

function printStatuses(
  context: CommandContext,
  statuses: readonly { code: string; next: readonly string[] | null }[],
): void {
  context.table(
    statuses.map((status) => ({ ...status, may: status.next?.join(', ') ?? '' })),
    [{ key: 'code', title: 'status', whole: true }, 'label', 'category', { key: 'may', title: 'next statuses' }],
  )
}
