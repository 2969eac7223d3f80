import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, Flags } from '../../src/cli/framework/flags.ts'
import { moneyExits } from '../../src/cli/outcome/exit-codes.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { amountColumn, paymentFields } from '../../src/cli/topics/gateway/arguments.ts'
import { orderedSchema, orderFiles, orderFlags } from '../../src/cli/topics/gateway/order-flags.ts'
import { definedFields } from '../../src/kit/defined-fields.ts'

export default class InvoicesPay extends CountroomCommand {
  static override summary = 'Create a payment for an invoice in a coin, as the customer would'
  static override examples = ['countroom invoices pay 1000001 usdttrc20']
  static override args = {
    id: Args.string({ required: true, description: 'Invoice ID' }),
    coin: Args.string({ required: true, description: 'Coin to pay in' }),
  }
  static override flags = {
    description: Flags.string({ summary: "Description of the order (default: the invoice's)", helpValue: 'TEXT' }),
    email: Flags.string({ summary: 'Email address of the customer', helpValue: 'ADDRESS' }),
    ...orderFlags,
  }
  static override data = (shapes: Shapes) => orderedSchema(shapes, shapes.gateway.NewPayment)

  static override writes = true
  static override exits = moneyExits
  static override files = orderFiles

  override async run() {
    const { args, flags } = await this.parse(InvoicesPay)
    const body = {
      iid: args.id,
      pay_currency: args.coin.toLowerCase(),
      ...definedFields({ order_description: flags.description, customer_email: flags.email }),
    }
    const { order } = await import('../../src/cli/topics/gateway/order.ts')
    const { reply, order: facts } = await order(this, 'createInvoicePayment', { body }, flags, {
      action: `Create a payment in ${body.pay_currency} for invoice ${args.id}`,
      again: { args: [args.id, args.coin], flags: { description: flags.description, email: flags.email } },
    })
    if (reply)
      this.fields(reply, [
        ...paymentFields,
        amountColumn('amount_received', 'outcome'),
        { key: 'gw_payment_url', title: 'page', whole: true },
      ])
    return { ...reply, ...facts }
  }
}
