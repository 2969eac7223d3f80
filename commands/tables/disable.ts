import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { tableArgs, tableChangeSchema, tableExits, tableFlags } from '../../src/cli/topics/tables/flags.ts'

export default class TablesDisable extends CountroomCommand {
  static override summary = 'Hide a table from players at once'
  static override description =
    'Players at the table lose access, so the command asks first. On the paid plan, the day of disabling is still billed.'
  static override examples = ['countroom tables disable BAC-01', 'countroom tables disable BAC-01 --yes']
  static override writes = true
  static override exits = tableExits
  static override args = tableArgs
  static override flags = tableFlags
  static override data = tableChangeSchema

  override async run() {
    const { args } = await this.parse(TablesDisable)
    const { switchTable } = await import('../../src/cli/topics/tables/switch-table.ts')
    return switchTable(this, args.table, false)
  }
}
