import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args } from '../../src/cli/framework/flags.ts'
import { commandSchema } from '../../src/cli/framework/schema.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

export default class TicketsSchema extends CountroomCommand {
  static override summary = 'Print the JSON Schema of the --json output of a tickets command'
  static override description =
    'Same as "countroom schema tickets COMMAND". With --jsonl, a list prints each element as one line, and the object without the list as the last line.'
  static override examples = [
    'countroom tickets schema',
    { command: 'countroom tickets schema show > ticket.schema.json', description: 'Save the schema of tickets show' },
  ]
  static override exits = ['unknown-command'] as const
  static override args = {
    command: Args.string({ description: 'Command of tickets, such as list, show or bulk', default: 'list' }),
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({ command: Type.String(), schema: Type.Record(Type.String(), Type.Unknown()) })

  override async run() {
    const { args } = await this.parse(TicketsSchema)
    const command = `tickets ${args.command}`
    const schema = await commandSchema(this.program, command)
    this.log(JSON.stringify(schema, null, 2))
    return { command, schema }
  }
}
