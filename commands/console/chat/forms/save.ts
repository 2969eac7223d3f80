import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { readJsonInput } from '../../../../src/cli/terminal/read-input.ts'
import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'
import { Problem } from '../../../../src/kit/problem.ts'

export default class ConsoleChatFormsSave extends CountroomCommand {
  static override summary = 'Save a new version of a ticket form: its fields and its workflow'
  static override description =
    'The file is JSON in the form of GET /forms/{formCode}. Its formCode and version are ignored, and optional parts can be omitted. If the file has errors, all of them are listed with their positions and nothing is saved. Existing tickets keep their version.'
  static override examples = ['countroom console chat forms save DEMO refunds refunds.json']
  static override exits = ['not-found'] as const
  static override completes = { file: 'files' }
  static override writes = true
  static override args = {
    ...chatTenantArg,
    form: Args.string({ required: true, description: 'Form code' }),
    file: Args.string({ required: true, description: 'JSON file, or - for stdin' }),
  }
  static override flags = {
    inactive: Flags.boolean({ summary: 'Do not offer the form for new tickets' }),
    ...dryRunFlag,
  }
  static override data = ({ Type }: Shapes) => Type.Object({ formCode: Type.String(), version: Type.Integer() })

  override async run() {
    const { args, flags } = await this.parse(ConsoleChatFormsSave)
    if (!/^[A-Za-z0-9_.-]{1,64}$/.test(args.form))
      throw new Problem('INVALID_USAGE', `A form code has 1 to 64 letters, digits, _ . or -; received ${args.form}`)
    const file = await readJsonInput(args.file)
    const { chat } = await this.services.world()
    const { saveForm } = await import('../../../../src/services/chat/admin.ts')
    const saved = await saveForm(chat, args.code.toUpperCase(), args.form, file, !flags.inactive)
    this.fields(saved)
    return saved
  }
}
