import { chatTenantArg } from '../../../../src/cli/chat-console.ts'
import { Args, dryRunFlag, Flags } from '../../../../src/cli/flags.ts'
import { readJsonInput } from '../../../../src/cli/input.ts'
import { WorldCommand } from '../../../../src/cli/world-command.ts'
import type { FormDefinition } from '../../../../src/domain/ticket-form.ts'
import { Problem } from '../../../../src/kit/problem.ts'

export default class ConsoleChatFormsSave extends WorldCommand {
  static override summary = "Save a form of a merchant's tickets, its fields and its workflow, as a new version"
  static override description =
    'The file is JSON as GET /forms/{formCode} shows it. Tickets keep the version they were made by. Everything that contradicts itself in it is told at once, and nothing is saved.'
  static override examples = ['countroom console chat forms save DEMO refunds refunds.json']
  static override exits = ['not-found'] as const
  static override completes = { file: 'files' }
  static override writes = true
  static override args = {
    ...chatTenantArg,
    form: Args.string({ required: true, description: 'The code of the form' }),
    file: Args.string({ required: true, description: 'The file, or - for stdin' }),
  }
  static override flags = { inactive: Flags.boolean({ summary: 'No longer offered for new tickets' }), ...dryRunFlag }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ formCode: Type.String(), version: Type.Integer() })
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleChatFormsSave)
    if (!/^[A-Za-z0-9_.-]{1,64}$/.test(args.form))
      throw new Problem('INVALID_USAGE', `A form's code is 1 to 64 letters, digits, _ . or -, not ${args.form}`)
    const definition = definitionFrom(await readJsonInput(args.file), args.file)
    const { chat } = await this.world()
    const { saveForm } = await import('../../../../src/chat/console.ts')
    const saved = await saveForm(chat, args.code.toUpperCase(), args.form, definition, !flags.inactive)
    this.fields(saved)
    return saved
  }
}

/** The outer shape; what is in it is judged by the rules of forms. */
function definitionFrom(value: unknown, where: string): FormDefinition {
  if (typeof value === 'object' && value !== null && 'fields' in value && 'workflow' in value) {
    const { fields, workflow } = value
    const isWorkflow = typeof workflow === 'object' && workflow !== null && 'statuses' in workflow
    if (Array.isArray(fields) && isWorkflow && Array.isArray(workflow.statuses))
      return { title: '', description: '', ...value } as unknown as FormDefinition
  }
  throw new Problem('INVALID_FILE', `${where} is no form: it needs "fields" and "workflow" with "statuses"`, {
    file: where,
  })
}
