import { refuseFaults } from '../../src/cli/arguments/validate.ts'
import { Args, Flags } from '../../src/cli/framework/flags.ts'
import {
  amountColumn,
  callbackFlag,
  coinAmountFault,
  given,
  jsonAmount,
  paymentFields,
  tickerFault,
} from '../../src/cli/topics/gateway/arguments.ts'
import { OrderCommand, orderedSchema, orderFlags } from '../../src/cli/topics/gateway/order-command.ts'

export default class PaymentsCreate extends OrderCommand {
  static override summary = 'Create a payment with a deposit address of its own'
  static override description =
    'Quoted at once in the coin the customer pays in. The order is written into the book under its Idempotency-Key before it is sent; sent again under the same key it is still one payment.'
  static override examples = [
    'countroom payments create 29.99 usd usdttrc20 --order order-1',
    {
      command: 'countroom payments create 29.99 usd btc --order order-2 --key order-2',
      description: 'Under a key of your own, safe to run again',
    },
    {
      command: 'countroom payments create 50 eur eth --callback https://shop.example/ipn --fixed-rate',
      description: 'Told of every status; the quote holds and then the payment ends',
    },
  ]
  static override args = {
    price: Args.string({ required: true, description: 'The amount of the price' }),
    currency: Args.string({ required: true, description: 'The currency of the price: usd, eur, btc, …' }),
    coin: Args.string({ required: true, description: 'The coin to pay in: usdttrc20, btc, …' }),
  }
  static override flags = {
    order: Flags.string({ summary: 'Your own reference (order_id)', helpValue: 'ID' }),
    description: Flags.string({ summary: 'What it is for (order_description)', helpValue: 'TEXT' }),
    ...callbackFlag,
    'fixed-rate': Flags.boolean({ summary: 'Keep the quoted rate; the payment ends when the quote does' }),
    'fee-by-user': Flags.boolean({ summary: 'The customer bears the service fee' }),
    'outcome-currency': Flags.string({ summary: 'The coin to be credited in', helpValue: 'COIN' }),
    email: Flags.string({ summary: "The customer's e-mail address", helpValue: 'ADDRESS' }),
    case: Flags.string({
      summary: 'Sandbox only: plays the customer',
      options: ['success', 'failed', 'partially_paid', 'common'],
    }),
    ...orderFlags,
  }
  static override data = async () =>
    orderedSchema((await import('../../src/services/gateway/api/schemas.ts')).NewPayment)

  override async run() {
    const { args, flags } = await this.parse(PaymentsCreate)
    refuseFaults([coinAmountFault(args.price), tickerFault(args.currency), tickerFault(args.coin, 'pay_currency')])
    const body = {
      price_amount: jsonAmount(args.price),
      price_currency: args.currency.toLowerCase(),
      pay_currency: args.coin.toLowerCase(),
      ...given({
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
    const { reply, order } = await this.order('createPayment', { body }, flags, {
      order: `Create a payment of ${args.price} ${body.price_currency} in ${body.pay_currency}`,
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
        { key: 'expiration_estimate_date', title: 'quoted until' },
        { key: 'gw_payment_url', title: 'page', whole: true },
      ])
    return { ...reply, ...order }
  }
}
