import { CountroomCommand } from '../../src/cli/framework/command.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { idArg, payoutColumns, statusColumn, wholeColumn } from '../../src/cli/topics/gateway/arguments.ts'

export default class PayoutsShow extends CountroomCommand {
  static override summary = 'Show a payout, or a batch with its payouts'
  static override examples = ['countroom payouts show 5000000191']
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override completes = { id: 'payouts' }
  static override args = idArg('Payout or batch ID')
  static override data = ({ Type, gateway }: Shapes) =>
    Type.Object({
      kind: Type.Enum(['payout', 'batch']),
      id: Type.String(),
      withdrawals: Type.Array(gateway.Payout),
    })

  override async run() {
    const { args } = await this.parse(PayoutsShow)
    const { gateway } = await this.services.gateway()
    const response = await gateway.payout({ params: { id: args.id } })
    if (!Array.isArray(response)) {
      this.table(response.withdrawals, payoutColumns)
      return { kind: 'batch' as const, ...response }
    }
    const [payout] = response
    if (payout)
      this.fields(payout, [
        wholeColumn('id', 'payout'),
        wholeColumn('batch_withdrawal_id', 'batch'),
        statusColumn('status'),
        'amount',
        'currency',
        'fee',
        wholeColumn('address'),
        wholeColumn('hash'),
        'error',
        { key: 'payout_description', title: 'description' },
        { key: 'unique_external_id', title: 'your reference' },
        { key: 'created_at', title: 'created' },
        { key: 'updated_at', title: 'updated' },
      ])
    return { kind: 'payout' as const, id: args.id, withdrawals: response }
  }
}
