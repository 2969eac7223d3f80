import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import { environmentIn, ownEnvironmentFlag, sharedTableSchema } from '../../../src/cli/topics/console/shared-table.ts'
import { tableArg } from '../../../src/cli/topics/console/table-status.ts'

export default class ConsoleTablesShare extends CountroomCommand {
  static override summary = "Set the tenants that share a merchant's table"
  static override description =
    'The tenants see the table, with its provider, once the platform approves the share ("console tables approve") and while sharing is enabled ("console sharing on"). Their own bet limits apply, and the table counts toward their quota. The list replaces the previous one; for tenants no longer in it, the table is disabled at once.'
  static override examples = [
    'countroom console tables share ACME-01 DEMO',
    { command: 'countroom console tables share ACME-01', description: 'Stop sharing the table' },
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override completes = { table: 'tables' }
  static override args = { ...tableArg, tenants: Args.string({ description: 'Company codes', multiple: true }) }
  static override flags = { ...dryRunFlag, ...ownEnvironmentFlag }
  static override data = sharedTableSchema

  override async run() {
    const { args, flags } = await this.parse(ConsoleTablesShare)
    const { casino } = await this.services.world()
    const { shareTable } = await import('../../../src/services/casino/admin/index.ts')
    const result = await shareTable(casino, environmentIn(flags.environment), args.table, args.tenants ?? [])
    this.fields({ ...result, sharedWith: result.sharedWith.join(', ') })
    return result
  }
}
