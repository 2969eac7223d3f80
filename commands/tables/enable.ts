import { TableSwitchCommand, tableArgs, tableFlags } from '../../src/cli/topics/console/table-switch.ts'

export default class TablesEnable extends TableSwitchCommand {
  static override summary = 'Let players see a table'
  static override description =
    'The free plan has a quota of tables; on the paid plan each costs USD 100 a month, charged by the day from this day on. Enabling an enabled table changes nothing.'
  static override examples = ['countroom tables enable BAC-01', 'countroom tables enable BAC-01 --dry-run']
  static override args = tableArgs
  static override flags = tableFlags

  override async run() {
    const { args } = await this.parse(TablesEnable)
    return this.turn(args.table, true)
  }
}
