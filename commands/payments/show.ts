import { CountroomCommand } from '../../src/cli/framework/command.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { amountColumn, idArg, paymentFields } from '../../src/cli/topics/gateway/arguments.ts'

export default class PaymentsShow extends CountroomCommand {
  static override summary = 'Show the status, amount due and received amount of a payment'
  static override examples = ['countroom payments show 5745459419']
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override args = idArg('Payment ID (payment_id)')
  static override data = ({ gateway }: Shapes) => gateway.Payment

  override async run() {
    const { args } = await this.parse(PaymentsShow)
    const { gateway } = await this.services.gateway()
    const payment = await gateway.payment({ params: { payment_id: args.id } })
    this.fields(payment, [
      ...paymentFields,
      amountColumn('actually_paid', 'paid'),
      amountColumn('outcome_amount', 'outcome'),
      { key: 'outcome_currency', title: 'outcome currency' },
      { key: 'order_id', title: 'order' },
      { key: 'order_description', title: 'description' },
      { key: 'invoice_id', title: 'invoice' },
      { key: 'parent_payment_id', title: 'parent payment' },
      { key: 'updated_at', title: 'updated' },
    ])
    return payment
  }
}
