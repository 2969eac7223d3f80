import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { amountColumn } from '../../src/cli/topics/gateway/arguments.ts'

export default class CoinsBalance extends CountroomCommand {
  static override summary = 'Show the balance of the account in each coin'
  static override examples = ['countroom coins balance']
  static override exits = ['permission', 'temporary'] as const
  static override flags = { ...listFlags }
  static override data = ({ Type }: Shapes) => {
    const row = Type.Object({ currency: Type.String(), amount: Type.Number(), pendingAmount: Type.Number() })
    return Type.Object({ balances: Type.Array(row) })
  }

  override async run() {
    await this.parse(CoinsBalance)
    const { gateway } = await this.services.gateway()
    const balances = Object.entries(await gateway.balance({})).map(([currency, held]) => ({ currency, ...held }))
    this.table(
      balances,
      [
        { key: 'currency', title: 'coin' },
        amountColumn('amount', 'available'),
        amountColumn('pendingAmount', 'pending'),
      ],
      'No balance in any coin.',
    )
    return { balances }
  }
}
