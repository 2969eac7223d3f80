import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { tableArg } from '../../../src/cli/topics/console/table-status.ts'

export default class ConsoleTablesSideBets extends CountroomCommand {
  static override summary = 'Enable or disable the side bets of a dragon tiger table for one tenant'
  static override description =
    'The side bets are big, small, odd and even. A tenant without its own setting uses that of the table. Bets already placed are settled either way.'
  static override examples = [
    'countroom console tables side-bets DEMO DT-02 on',
    'countroom console tables side-bets DEMO DT-01 off',
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override completes = { table: 'tables' }
  static override args = {
    code: Args.string({ required: true, description: 'Company code' }),
    ...tableArg,
    to: Args.string({ required: true, description: 'New state', options: ['on', 'off'] }),
  }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) =>
    Type.Object({ companyCode: Type.String(), tableId: Type.String(), sideBets: Type.Boolean() })

  override async run() {
    const { args } = await this.parse(ConsoleTablesSideBets)
    const { casino } = await this.services.world()
    const { setSideBets } = await import('../../../src/services/casino/admin/index.ts')
    const result = await setSideBets(casino, args.code, args.table, args.to === 'on')
    this.fields(result)
    return result
  }
}
