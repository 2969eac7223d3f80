import { refuseFaults } from '../../src/cli/arguments/validate.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, Flags } from '../../src/cli/framework/flags.ts'
import { moneyExits } from '../../src/cli/outcome/exit-codes.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { callbackFlag, jsonAmount } from '../../src/cli/topics/gateway/arguments.ts'
import { orderedSchema, orderFiles, orderFlags } from '../../src/cli/topics/gateway/order-flags.ts'
import { coinAmountFault, tickerFault } from '../../src/domain/payments/order-faults.ts'
import { definedFields } from '../../src/kit/defined-fields.ts'

export default class InvoicesCreate extends CountroomCommand {
  static override summary = 'Create an invoice, a hosted page where the customer chooses a coin and pays'
  static override examples = [
    'countroom invoices create 49.90 usd --order order-7 --success https://shop.example/thanks --cancel https://shop.example/cart',
    {
      command: 'countroom invoices create 20 eur --coin usdcsol --key inv-20-1',
      description: 'Accept one coin only, with your own idempotency key',
    },
  ]
  static override args = {
    price: Args.string({ required: true, description: 'Price amount' }),
    currency: Args.string({ required: true, description: 'Price currency' }),
  }
  static override flags = {
    coin: Flags.string({ summary: 'Only coin accepted (default: the customer chooses)', helpValue: 'COIN' }),
    order: Flags.string({ summary: 'Your reference (order_id)', helpValue: 'ID' }),
    description: Flags.string({ summary: 'Description of the order (order_description)', helpValue: 'TEXT' }),
    ...callbackFlag,
    success: Flags.string({ summary: 'URL to open after the payment', helpValue: 'URL' }),
    cancel: Flags.string({ summary: 'URL to open if the customer cancels', helpValue: 'URL' }),
    'partly-paid': Flags.string({ summary: 'URL to open after a partial payment', helpValue: 'URL' }),
    'fixed-rate': Flags.boolean({ summary: 'Fix the quoted rate; the payment expires with its quote' }),
    'fee-by-user': Flags.boolean({ summary: 'Add the service fee to the amount the customer pays' }),
    email: Flags.string({ summary: 'Email address of the customer', helpValue: 'ADDRESS' }),
    ...orderFlags,
  }
  static override data = (shapes: Shapes) => orderedSchema(shapes, shapes.gateway.Invoice)

  static override writes = true
  static override exits = moneyExits
  static override files = orderFiles

  override async run() {
    const { args, flags } = await this.parse(InvoicesCreate)
    refuseFaults([coinAmountFault(args.price), tickerFault(args.currency)])
    const body = {
      price_amount: jsonAmount(args.price),
      price_currency: args.currency.toLowerCase(),
      ...definedFields({
        pay_currency: flags.coin?.toLowerCase(),
        order_id: flags.order,
        order_description: flags.description,
        ipn_callback_url: flags.callback,
        success_url: flags.success,
        cancel_url: flags.cancel,
        partially_paid_url: flags['partly-paid'],
        is_fixed_rate: flags['fixed-rate'],
        is_fee_paid_by_user: flags['fee-by-user'],
        customer_email: flags.email,
      }),
    }
    const { order } = await import('../../src/cli/topics/gateway/order.ts')
    const { reply, order: facts } = await order(this, 'createInvoice', { body }, flags, {
      action: `Create an invoice of ${args.price} ${body.price_currency}`,
      again: {
        args: [args.price, args.currency],
        flags: {
          coin: flags.coin,
          order: flags.order,
          description: flags.description,
          callback: flags.callback,
          success: flags.success,
          cancel: flags.cancel,
          'partly-paid': flags['partly-paid'],
          'fixed-rate': flags['fixed-rate'] || undefined,
          'fee-by-user': flags['fee-by-user'] || undefined,
          email: flags.email,
        },
      },
    })
    if (reply)
      this.fields(reply, [
        { key: 'id', title: 'invoice' },
        { key: 'price_amount', title: 'price' },
        { key: 'price_currency', title: 'currency' },
        { key: 'pay_currency', title: 'coin', show: (coin) => String(coin ?? 'the customer chooses') },
        { key: 'order_id', title: 'order' },
        { key: 'invoice_url', title: 'page', whole: true },
      ])
    return { ...reply, ...facts }
  }
}
