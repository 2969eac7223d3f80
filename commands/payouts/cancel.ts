import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { dangerFlags } from '../../src/cli/framework/flags.ts'
import { plannedSchema, plannedText } from '../../src/cli/outcome/dry-run.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { idArg, payoutColumns } from '../../src/cli/topics/gateway/arguments.ts'
import { plannedCall } from '../../src/cli/topics/gateway/planned-call.ts'

export default class PayoutsCancel extends CountroomCommand {
  static override summary = 'Cancel a scheduled payout or batch'
  static override description = 'The reserved funds are released. A batch is canceled as a whole or not at all.'
  static override examples = ['countroom payouts cancel 5000000192 --yes']
  static override exits = ['confirmation', 'permission', 'not-found', 'conflict', 'temporary'] as const
  static override writes = true
  static override completes = { id: 'payouts' }
  static override args = idArg('Payout or batch ID')
  static override flags = { ...dangerFlags }
  static override data = (shapes: Shapes) => {
    const { Type, gateway } = shapes
    return Type.Object({ payouts: Type.Array(gateway.Payout), dryRun: Type.Boolean(), request: plannedSchema(shapes) })
  }

  override async run() {
    const { args } = await this.parse(PayoutsCancel)
    const { gateway } = await this.services.gateway()
    const params = { id: args.id }
    const response = await gateway.payout({ params })
    const isBatch = !Array.isArray(response)
    const payouts = isBatch ? response.withdrawals : response
    if (this.isDryRun) {
      const request = isBatch
        ? plannedCall('cancelBatch', { params })
        : plannedCall('cancelPayout', { params, body: {} })
      this.log(plannedText(request))
      this.footnote('Valid; nothing was sent.')
      return { payouts, dryRun: true, request }
    }
    await this.confirmDanger(isBatch ? `Cancel the ${payouts.length} payouts of the batch` : 'Cancel the payout')
    const after = isBatch
      ? (await gateway.cancelBatch({ params })).withdrawals
      : [await gateway.cancelPayout({ params, body: {} })]
    this.table(after, payoutColumns)
    return { payouts: after, dryRun: false, request: null }
  }
}
