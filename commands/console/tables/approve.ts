import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import { environmentIn, ownEnvironmentFlag, sharedTableSchema } from '../../../src/cli/topics/console/shared-table.ts'
import { tableArg } from '../../../src/cli/topics/console/table-status.ts'

export default class ConsoleTablesApprove extends CountroomCommand {
  static override summary = "Approve the share of a merchant's table, or withdraw the approval"
  static override description =
    'Without approval only the owner sees the table. Withdrawing it disables the table for the other tenants at once.'
  static override examples = [
    'countroom console tables approve ACME-01',
    'countroom console tables approve ACME-01 --withdraw',
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override completes = { table: 'tables' }
  static override args = tableArg
  static override flags = {
    ...dryRunFlag,
    ...ownEnvironmentFlag,
    withdraw: Flags.boolean({ summary: 'Withdraw the approval' }),
  }
  static override data = sharedTableSchema

  override async run() {
    const { args, flags } = await this.parse(ConsoleTablesApprove)
    const { casino } = await this.services.world()
    const { approveShare } = await import('../../../src/services/casino/admin/index.ts')
    const result = await approveShare(casino, environmentIn(flags.environment), args.table, !flags.withdraw)
    this.fields({ ...result, sharedWith: result.sharedWith.join(', ') })
    return result
  }
}
