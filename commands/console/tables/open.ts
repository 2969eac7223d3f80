import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag } from '../../../src/cli/framework/flags.ts'
import { tableArg, tableEnvironmentFlag, tableStatusSchema } from '../../../src/cli/topics/console/table-status.ts'

export default class ConsoleTablesOpen extends CountroomCommand {
  static override summary = 'Reopen a table after maintenance'
  static override description = 'With automatic dealing, its next round opens at once.'
  static override examples = ['countroom console tables open BAC-01']
  static override exits = ['not-found'] as const
  static override writes = true
  static override completes = { table: 'tables' }
  static override args = tableArg
  static override flags = { ...dryRunFlag, ...tableEnvironmentFlag }
  static override data = tableStatusSchema

  override async run() {
    const { args, flags } = await this.parse(ConsoleTablesOpen)
    const { changeTableStatus } = await import('../../../src/cli/topics/console/change-table-status.ts')
    return changeTableStatus(this, args.table, 'open', flags.environment)
  }
}
