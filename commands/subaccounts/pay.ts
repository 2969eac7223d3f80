import { refuseFaults } from '../../src/cli/arguments/validate.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, Flags } from '../../src/cli/framework/flags.ts'
import { moneyExits } from '../../src/cli/outcome/exit-codes.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { callbackFlag, jsonAmount, paymentFields } from '../../src/cli/topics/gateway/arguments.ts'
import { orderedSchema, orderFiles, orderFlags } from '../../src/cli/topics/gateway/order-flags.ts'
import { coinAmountFault, tickerFault } from '../../src/domain/payments/order-faults.ts'
import { definedFields } from '../../src/kit/defined-fields.ts'

export default class SubaccountsPay extends CountroomCommand {
  static override summary = 'Create a payment into a sub-account'
  static override examples = ['countroom subaccounts pay 5000000194 50 usdttrc20']
  static override args = {
    id: Args.string({ required: true, description: 'Sub-account ID' }),
    amount: Args.string({ required: true, description: 'Amount in the coin' }),
    coin: Args.string({ required: true, description: 'Coin code' }),
  }
  static override flags = {
    'fixed-rate': Flags.boolean({ summary: 'Fix the quoted rate; the payment expires with its quote' }),
    'fee-by-user': Flags.boolean({ summary: 'Add the service fee to the amount the customer pays' }),
    ...callbackFlag,
    ...orderFlags,
  }
  static override data = (shapes: Shapes) => orderedSchema(shapes, shapes.gateway.NewPayment)

  static override writes = true
  static override exits = moneyExits
  static override files = orderFiles

  override async run() {
    const { args, flags } = await this.parse(SubaccountsPay)
    refuseFaults([coinAmountFault(args.amount), tickerFault(args.coin)])
    const body = {
      currency: args.coin.toLowerCase(),
      amount: jsonAmount(args.amount),
      sub_partner_id: args.id,
      ...definedFields({
        is_fixed_rate: flags['fixed-rate'],
        is_fee_paid_by_user: flags['fee-by-user'],
        ipn_callback_url: flags.callback,
      }),
    }
    const { order } = await import('../../src/cli/topics/gateway/order.ts')
    const { reply, order: facts } = await order(this, 'createSubPayment', { body }, flags, {
      action: `Create a payment of ${args.amount} ${body.currency} into sub-account ${args.id}`,
      again: {
        args: [args.id, args.amount, args.coin],
        flags: {
          'fixed-rate': flags['fixed-rate'] || undefined,
          'fee-by-user': flags['fee-by-user'] || undefined,
          callback: flags.callback,
        },
      },
    })
    if (reply) this.fields(reply.result, [...paymentFields, { key: 'gw_payment_url', title: 'page', whole: true }])
    return { ...reply?.result, ...facts }
  }
}
