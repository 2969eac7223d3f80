import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { editFlags } from '../../src/cli/framework/flags.ts'
import { plannedSchema, plannedText } from '../../src/cli/outcome/dry-run.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { amountColumn, idArg } from '../../src/cli/topics/gateway/arguments.ts'
import { plannedCall } from '../../src/cli/topics/gateway/planned-call.ts'

export default class PaymentsRequote extends CountroomCommand {
  static override summary = 'Show the amount due of a payment, with a new quote if the last one expired'
  static override description =
    'Works for waiting and partially paid payments. A quote that has not expired is returned unchanged.'
  static override examples = ['countroom payments requote 5745459419']
  static override exits = ['confirmation', 'permission', 'not-found', 'conflict', 'temporary'] as const
  static override writes = true
  static override args = idArg('Payment ID (payment_id)')
  static override flags = { ...editFlags }
  static override data = (shapes: Shapes) => {
    const { Type, gateway } = shapes
    return Type.Object({
      ...Type.Partial(gateway.NewEstimate).properties,
      dryRun: Type.Boolean(),
      request: plannedSchema(shapes),
    })
  }

  override async run() {
    const { args } = await this.parse(PaymentsRequote)
    const input = { params: { payment_id: args.id } }
    if (this.isDryRun) {
      const request = plannedCall('updateEstimate', input)
      this.log(plannedText(request))
      return { dryRun: true, request }
    }
    const { gateway } = await this.services.gateway()
    await this.confirmEdit(`Quote payment ${args.id} again if its quote expired`)
    const quote = await gateway.updateEstimate(input)
    const { pay_currency } = await gateway.payment(input)
    this.fields({ ...quote, pay_currency }, [
      { key: 'id', title: 'payment' },
      amountColumn('pay_amount', 'to pay'),
      { key: 'pay_currency', title: 'coin' },
      { key: 'expiration_estimate_date', title: 'quote expires' },
    ])
    return { ...quote, dryRun: false, request: null }
  }
}
