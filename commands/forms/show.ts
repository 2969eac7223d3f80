import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, chatFlags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class FormsShow extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Show the fields, statuses and transitions of a ticket form'
  static override description =
    'With --json, the form has the format that "countroom console chat forms save" reads. If the instance does not support reading forms, the status codes come from the error response to an invalid status on a ticket of the form; that changes nothing.'
  static override examples = [
    'countroom forms show general',
    { command: 'countroom forms show general --json', description: 'Show all rules of its fields' },
  ]
  static override exits = ['permission', 'not-found', 'temporary', 'inconclusive'] as const
  static override args = { form: Args.string({ required: true, description: 'Form code' }) }
  static override flags = { ...listFlags }
  static override data = ({ Type, chat }: Shapes) =>
    Type.Object({
      formCode: Type.String(),
      form: Type.Union([chat.Form, Type.Null()], {
        description: 'Null if the instance does not support reading forms.',
      }),
      statuses: Type.Array(
        Type.Object({
          code: Type.String(),
          label: Type.Union([Type.String(), Type.Null()]),
          category: Type.Union([Type.String(), Type.Null()]),
          next: Type.Union([Type.Array(Type.String()), Type.Null()], {
            description: 'Possible next statuses. Null if the instance does not list them.',
          }),
        }),
      ),
      knownBy: Type.Enum(['form', 'refusal']),
    })

  override async run() {
    const { args } = await this.parse(FormsShow)
    const { showForm } = await import('../../src/cli/topics/forms/show-form.ts')
    return showForm(this, args.form)
  }
}
