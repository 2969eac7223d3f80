import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag } from '../../../src/cli/framework/flags.ts'
import { tableArg, tableEnvironmentFlag, tableStatusSchema } from '../../../src/cli/topics/console/table-status.ts'

export default class ConsoleTablesMaintenance extends CountroomCommand {
  static override summary = 'Put a table into maintenance; no round opens there'
  static override description =
    'A round that still accepts bets is voided at once and the stakes are returned. A round that was dealt is finished.'
  static override examples = ['countroom console tables maintenance BAC-01']
  static override exits = ['not-found'] as const
  static override writes = true
  static override completes = { table: 'tables' }
  static override args = tableArg
  static override flags = { ...dryRunFlag, ...tableEnvironmentFlag }
  static override data = tableStatusSchema

  override async run() {
    const { args, flags } = await this.parse(ConsoleTablesMaintenance)
    const { changeTableStatus } = await import('../../../src/cli/topics/console/change-table-status.ts')
    return changeTableStatus(this, args.table, 'maintenance', flags.environment)
  }
}
