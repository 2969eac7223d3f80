import { TableSwitchCommand, tableArgs, tableFlags } from '../../src/cli/topics/console/table-switch.ts'

export default class TablesEnable extends TableSwitchCommand {
  static override summary = 'Show a table to players'
  static override description =
    'The free plan has a quota of tables. On the paid plan each table costs USD 100 a month, billed per day from today. Enabling an enabled table changes nothing.'
  static override examples = ['countroom tables enable BAC-01', 'countroom tables enable BAC-01 --dry-run']
  static override args = tableArgs
  static override flags = tableFlags

  override async run() {
    const { args } = await this.parse(TablesEnable)
    return this.turn(args.table, true)
  }
}
