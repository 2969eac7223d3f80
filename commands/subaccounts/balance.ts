import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { amountColumn, idArg } from '../../src/cli/topics/gateway/arguments.ts'

export default class SubaccountsBalance extends CountroomCommand {
  static override summary = 'Show the balance of a sub-account in each coin'
  static override examples = ['countroom subaccounts balance 5000000194']
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override args = idArg('Sub-account ID')
  static override flags = { ...listFlags }
  static override data = ({ Type }: Shapes) => {
    const row = Type.Object({ currency: Type.String(), amount: Type.Number(), pendingAmount: Type.Number() })
    return Type.Object({ id: Type.String(), balances: Type.Array(row) })
  }

  override async run() {
    const { args } = await this.parse(SubaccountsBalance)
    const { gateway } = await this.services.gateway()
    const { result } = await gateway.subBalance({ params: { id: args.id } })
    const balances = Object.entries(result.balances).map(([currency, held]) => ({ currency, ...held }))
    this.table(
      balances,
      [
        { key: 'currency', title: 'coin' },
        amountColumn('amount', 'available'),
        amountColumn('pendingAmount', 'pending'),
      ],
      'No balance in any coin.',
    )
    return { id: result.subPartnerId, balances }
  }
}
