import { TableSwitchCommand, tableArgs, tableFlags } from '../../src/cli/topics/console/table-switch.ts'

export default class TablesDisable extends TableSwitchCommand {
  static override summary = 'Hide a table from players at once'
  static override description =
    'Players at the table lose access, so the command asks first. On the paid plan, the day of disabling is still billed.'
  static override examples = ['countroom tables disable BAC-01', 'countroom tables disable BAC-01 --yes']
  static override args = tableArgs
  static override flags = tableFlags

  override async run() {
    const { args } = await this.parse(TablesDisable)
    return this.turn(args.table, false)
  }
}
