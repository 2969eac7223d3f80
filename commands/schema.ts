import { CountroomCommand } from '../src/cli/framework/command.ts'
import { Args } from '../src/cli/framework/flags.ts'
import { commandSchema } from '../src/cli/framework/schema.ts'
import type { Shapes } from '../src/cli/outcome/result-schema.ts'

export default class Schema extends CountroomCommand {
  static override summary = "Print the JSON Schema of a command's --json output"
  static override description =
    'Fields can be added at any time. Removing or renaming a field increases schemaVersion, with a deprecation warning one release before.'
  static override examples = ['countroom schema profiles list', 'countroom schema wallet deposit > deposit.schema.json']
  static override exits = ['unknown-command'] as const
  static override completes = { command: 'commands' }
  static override args = {
    command: Args.string({ required: true, multiple: true, description: 'Command, such as profiles list' }),
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({ command: Type.String(), schema: Type.Record(Type.String(), Type.Unknown()) })

  override async run() {
    const { args } = await this.parse(Schema)
    const command = args.command.join(' ')
    const schema = await commandSchema(this.program, command)
    this.log(JSON.stringify(schema, null, 2))
    return { command, schema }
  }
}
