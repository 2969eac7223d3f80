import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { chatFlags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class FormsList extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'List the ticket forms and their statuses'
  static override description =
    'Reading forms is an extension of the ticket API that some instances do not support. There, "countroom forms show CODE" gets the statuses from an error response.'
  static override examples = ['countroom forms list']
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override flags = { ...listFlags }
  static override data = ({ Type, chat }: Shapes) =>
    Type.Object({ forms: Type.Array(chat.Form), unreadable: Type.Array(chat.UnreadableForm) })

  override async run() {
    await this.parse(FormsList)
    const ticketsApi = await this.services.tickets()
    const result = await ticketsApi.forms()
    if (result === undefined)
      throw new Problem(
        'NOT_FOUND',
        'This instance does not support reading forms. To learn the statuses of one form: countroom help forms show',
      )
    const { items: forms, unreadable } = result
    const rows = forms.map((form) => ({
      ...form,
      fieldCodes: form.fields.map(({ fieldCode }) => fieldCode).join(', '),
      statuses: form.workflow.statuses
        .filter(({ active }) => active)
        .map(({ code }) => code)
        .join(', '),
    }))
    this.table(
      rows,
      [
        { key: 'formCode', title: 'form', whole: true },
        'title',
        { key: 'version', kind: 'count' },
        { key: 'active', show: (active) => (active === true ? 'yes' : 'no') },
        { key: 'fieldCodes', title: 'fields' },
        { key: 'statuses' },
      ],
      'No forms.',
    )
    for (const { formCode, version } of unreadable)
      this.warn(
        `Form ${formCode} is not listed: its stored version ${version} is broken. To save it again: countroom help console chat forms save`,
      )
    return { forms, unreadable }
  }
}
