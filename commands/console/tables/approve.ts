import { dryRunFlag, Flags } from '../../../src/cli/flags.ts'
import { environmentIn, ownEnvironmentFlag, sharedTableSchema } from '../../../src/cli/shared-table.ts'
import { tableArg } from '../../../src/cli/table-status.ts'
import { WorldCommand } from '../../../src/cli/world-command.ts'

export default class ConsoleTablesApprove extends WorldCommand {
  static override summary = "Approve the share of a merchant's own table, or take the approval back"
  static override description =
    'Without the approval nobody but its owner sees the table. Taken back, the others have it disabled at once.'
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
    withdraw: Flags.boolean({ summary: 'Take the approval back' }),
  }
  static override data = sharedTableSchema

  override async run() {
    const { args, flags } = await this.parse(ConsoleTablesApprove)
    const { casino } = await this.world()
    const { approveShare } = await import('../../../src/casino/console.ts')
    const result = await approveShare(casino, environmentIn(flags.environment), args.table, !flags.withdraw)
    this.fields({ ...result, sharedWith: result.sharedWith.join(', ') })
    return result
  }
}
