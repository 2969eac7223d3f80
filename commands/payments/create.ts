import { refuseFaults } from '../../src/cli/arguments/validate.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, Flags } from '../../src/cli/framework/flags.ts'
import { moneyExits } from '../../src/cli/outcome/exit-codes.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { amountColumn, callbackFlag, jsonAmount, paymentFields } from '../../src/cli/topics/gateway/arguments.ts'
import { orderedSchema, orderFiles, orderFlags } from '../../src/cli/topics/gateway/order-flags.ts'
import { coinAmountFault, tickerFault } from '../../src/domain/payments/order-faults.ts'
import { definedFields } from '../../src/kit/defined-fields.ts'

export default class PaymentsCreate extends CountroomCommand {
  static override summary = 'Create a payment with its own deposit address'
  static override description =
    'The amount is quoted at once in the coin of the customer. The order is written to the book with its Idempotency-Key before it is sent; running the command again with the same --key creates no second payment.'
  static override examples = [
    'countroom payments create 29.99 usd usdttrc20 --order order-1',
    {
      command: 'countroom payments create 29.99 usd btc --order order-2 --key order-2',
      description: 'Use your own key, so that it is safe to run again',
    },
    {
      command: 'countroom payments create 50 eur eth --callback https://shop.example/ipn --fixed-rate',
      description: 'Set an IPN URL and fix the rate',
    },
  ]
  static override args = {
    price: Args.string({ required: true, description: 'Price amount' }),
    currency: Args.string({ required: true, description: 'Price currency: usd, eur, btc, …' }),
    coin: Args.string({ required: true, description: 'Coin to pay in: usdttrc20, btc, …' }),
  }
  static override flags = {
    order: Flags.string({ summary: 'Your reference (order_id)', helpValue: 'ID' }),
    description: Flags.string({ summary: 'Description of the order (order_description)', helpValue: 'TEXT' }),
    ...callbackFlag,
    'fixed-rate': Flags.boolean({ summary: 'Fix the quoted rate; the payment expires with its quote' }),
    'fee-by-user': Flags.boolean({ summary: 'Add the service fee to the amount the customer pays' }),
    'outcome-currency': Flags.string({ summary: 'Coin to be credited in', helpValue: 'COIN' }),
    email: Flags.string({ summary: 'Email address of the customer', helpValue: 'ADDRESS' }),
    case: Flags.string({
      summary: 'Sandbox only: simulate the customer',
      options: ['success', 'failed', 'partially_paid', 'common'],
    }),
    ...orderFlags,
  }
  static override data = (shapes: Shapes) => orderedSchema(shapes, shapes.gateway.NewPayment)

  static override writes = true
  static override exits = moneyExits
  static override files = orderFiles

  override async run() {
    const { args, flags } = await this.parse(PaymentsCreate)
    refuseFaults([coinAmountFault(args.price), tickerFault(args.currency), tickerFault(args.coin, 'pay_currency')])
    const body = {
      price_amount: jsonAmount(args.price),
      price_currency: args.currency.toLowerCase(),
      pay_currency: args.coin.toLowerCase(),
      ...definedFields({
        order_id: flags.order,
        order_description: flags.description,
        ipn_callback_url: flags.callback,
        is_fixed_rate: flags['fixed-rate'],
        is_fee_paid_by_user: flags['fee-by-user'],
        payout_currency: flags['outcome-currency']?.toLowerCase(),
        customer_email: flags.email,
        case: flags.case,
      }),
    }
    const { order } = await import('../../src/cli/topics/gateway/order.ts')
    const { reply, order: facts } = await order(this, 'createPayment', { body }, flags, {
      action: `Create a payment of ${args.price} ${body.price_currency} in ${body.pay_currency}`,
      again: {
        args: [args.price, args.currency, args.coin],
        flags: {
          order: flags.order,
          description: flags.description,
          callback: flags.callback,
          'fixed-rate': flags['fixed-rate'] || undefined,
          'fee-by-user': flags['fee-by-user'] || undefined,
          'outcome-currency': flags['outcome-currency'],
          email: flags.email,
          case: flags.case,
        },
      },
    })
    if (reply)
      this.fields(reply, [
        ...paymentFields,
        amountColumn('amount_received', 'outcome'),
        { key: 'expiration_estimate_date', title: 'quote expires' },
        { key: 'gw_payment_url', title: 'page', whole: true },
      ])
    return { ...reply, ...facts }
  }
}
