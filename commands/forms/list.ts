import { listFlags } from '../../src/cli/framework/flags.ts'
import { ChatCommand } from '../../src/cli/topics/chat/command.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class FormsList extends ChatCommand {
  static override summary = 'List the forms of tickets, and the statuses of each'
  static override description =
    'Forms to read are our own addition to the ticket API: an instance that has none is told as one, and "countroom forms show" still learns the statuses there.'
  static override examples = ['countroom forms list']
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override flags = { ...listFlags }
  static override data = async () => {
    const [{ Type }, { Form, UnreadableForm }] = await Promise.all([
      import('typebox'),
      import('../../src/services/chat/api/schemas.ts'),
    ])
    return Type.Object({ forms: Type.Array(Form), unreadable: Type.Array(UnreadableForm) })
  }

  override async run() {
    await this.parse(FormsList)
    const desk = await this.desk()
    const found = await desk.forms()
    if (found === undefined)
      throw new Problem(
        'NOT_FOUND',
        'This instance has no forms to read; "countroom forms show CODE" learns the statuses of one from its refusals',
      )
    const { items: forms, unreadable } = found
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
        `The form ${formCode} is not listed: its stored version ${version} is broken. Save it again with "countroom console chat forms save TENANT ${formCode} FILE.json"`,
      )
    return { forms, unreadable }
  }
}
