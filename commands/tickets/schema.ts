import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args } from '../../src/cli/framework/flags.ts'
import { commandSchema } from '../../src/cli/framework/schema.ts'

export default class TicketsSchema extends CountroomCommand {
  static override summary = 'Print the JSON Schema of what a tickets command prints with --json'
  static override description =
    'The same as "countroom schema tickets COMMAND". With --jsonl a list prints each element of its list as a line of its own, and the object without it as the last.'
  static override examples = [
    'countroom tickets schema',
    { command: 'countroom tickets schema show > ticket.schema.json', description: 'Of another command' },
  ]
  static override exits = ['unknown-command'] as const
  static override args = {
    command: Args.string({ description: 'list, show, bulk or another command of tickets', default: 'list' }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ command: Type.String(), schema: Type.Record(Type.String(), Type.Unknown()) })
  }

  override async run() {
    const { args } = await this.parse(TicketsSchema)
    const command = `tickets ${args.command}`
    const schema = await commandSchema(this.config, command)
    this.log(JSON.stringify(schema, null, 2))
    return { command, schema }
  }
}
