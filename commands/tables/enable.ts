import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { tableArgs, tableChangeSchema, tableExits, tableFlags } from '../../src/cli/topics/tables/flags.ts'

export default class TablesEnable extends CountroomCommand {
  static override summary = 'Show a table to players'
  static override description =
    'The free plan has a quota of tables. On the paid plan each table costs USD 100 a month, billed per day from today. Enabling an enabled table changes nothing.'
  static override examples = ['countroom tables enable BAC-01', 'countroom tables enable BAC-01 --dry-run']
  static override writes = true
  static override exits = tableExits
  static override args = tableArgs
  static override flags = tableFlags
  static override data = tableChangeSchema

  override async run() {
    const { args } = await this.parse(TablesEnable)
    const { switchTable } = await import('../../src/cli/topics/tables/switch-table.ts')
    return switchTable(this, args.table, true)
  }
}
