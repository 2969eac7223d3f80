import { CountroomCommand } from '../../src/cli/framework/command.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { amountColumn, idArg, statusColumn, wholeColumn } from '../../src/cli/topics/gateway/arguments.ts'
import { listPages } from '../../src/cli/topics/gateway/list-pages.ts'

export default class InvoicesShow extends CountroomCommand {
  static override summary = 'Show an invoice and its payments'
  static override examples = ['countroom invoices show 1000001']
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override args = idArg('Invoice ID')
  static override data = ({ Type, gateway }: Shapes) =>
    Type.Object({ ...gateway.Invoice.properties, payments: Type.Array(gateway.Payment) })

  override async run() {
    const { args } = await this.parse(InvoicesShow)
    const { gateway } = await this.services.gateway()
    const invoice = await gateway.invoice({ params: { id: args.id } })
    const { rows: payments } = await listPages(
      this,
      Number.MAX_SAFE_INTEGER,
      async (limit, page) => (await gateway.payments({ query: { limit, page, invoiceId: args.id } })).data,
    )
    this.fields(invoice, [
      { key: 'id', title: 'invoice' },
      { key: 'price_amount', title: 'price' },
      { key: 'price_currency', title: 'currency' },
      { key: 'pay_currency', title: 'coin', show: (coin) => String(coin ?? 'the customer chooses') },
      { key: 'order_id', title: 'order' },
      { key: 'order_description', title: 'description' },
      { key: 'invoice_url', title: 'page', whole: true },
      { key: 'created_at', title: 'created' },
    ])
    if (payments.length > 0) {
      this.log()
      this.table(payments, [
        wholeColumn('payment_id', 'payment'),
        statusColumn('payment_status', 'status'),
        amountColumn('pay_amount', 'to pay'),
        amountColumn('actually_paid', 'paid'),
        { key: 'pay_currency', title: 'coin' },
      ])
    }
    return { ...invoice, payments }
  }
}
