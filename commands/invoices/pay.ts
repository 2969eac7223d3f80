import { Args, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { amountColumn, given, paymentFields } from '../../src/cli/topics/gateway/arguments.ts'
import { OrderCommand, orderedSchema, orderFlags } from '../../src/cli/topics/gateway/order-command.ts'

export default class InvoicesPay extends OrderCommand {
  static override summary = 'Create a payment for an invoice in a coin, as the customer would'
  static override examples = ['countroom invoices pay 1000001 usdttrc20']
  static override args = {
    id: Args.string({ required: true, description: 'Invoice ID' }),
    coin: Args.string({ required: true, description: 'Coin to pay in' }),
  }
  static override flags = {
    description: Flags.string({ summary: "Description of the order (default: the invoice's)", helpValue: 'TEXT' }),
    email: Flags.string({ summary: 'E-mail address of the customer', helpValue: 'ADDRESS' }),
    ...orderFlags,
  }
  static override data = (shapes: Shapes) => orderedSchema(shapes, shapes.gateway.NewPayment)

  override async run() {
    const { args, flags } = await this.parse(InvoicesPay)
    const body = {
      iid: args.id,
      pay_currency: args.coin.toLowerCase(),
      ...given({ order_description: flags.description, customer_email: flags.email }),
    }
    const { reply, order } = await this.order('createInvoicePayment', { body }, flags, {
      order: `Create a payment in ${body.pay_currency} for invoice ${args.id}`,
      again: { args: [args.id, args.coin], flags: { description: flags.description, email: flags.email } },
    })
    if (reply)
      this.fields(reply, [
        ...paymentFields,
        amountColumn('amount_received', 'outcome'),
        { key: 'gw_payment_url', title: 'page', whole: true },
      ])
    return { ...reply, ...order }
  }
}
