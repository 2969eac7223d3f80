import { refuseFaults } from '../../src/cli/arguments/validate.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args } from '../../src/cli/framework/flags.ts'
import { moneyExits } from '../../src/cli/outcome/exit-codes.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { jsonAmount } from '../../src/cli/topics/gateway/arguments.ts'
import { orderedSchema, orderFiles, orderFlags } from '../../src/cli/topics/gateway/order-flags.ts'
import { subTransferFields } from '../../src/cli/topics/gateway/subaccount-fields.ts'
import { coinAmountFault, tickerFault } from '../../src/domain/payments/order-faults.ts'

export default class SubaccountsTransfer extends CountroomCommand {
  static override summary = 'Transfer funds from one sub-account to another'
  static override examples = ['countroom subaccounts transfer 5000000194 5000000195 10 usdttrc20']
  static override args = {
    from: Args.string({ required: true, description: 'Source sub-account' }),
    to: Args.string({ required: true, description: 'Target sub-account' }),
    amount: Args.string({ required: true, description: 'Amount' }),
    currency: Args.string({ required: true, description: 'Coin code' }),
  }
  static override flags = { ...orderFlags }
  static override data = (shapes: Shapes) => orderedSchema(shapes, shapes.gateway.SubTransfer)

  static override writes = true
  static override exits = moneyExits
  static override files = orderFiles

  override async run() {
    const { args, flags } = await this.parse(SubaccountsTransfer)
    refuseFaults([coinAmountFault(args.amount), tickerFault(args.currency)])
    const currency = args.currency.toLowerCase()
    const body = { currency, amount: jsonAmount(args.amount), from_id: args.from, to_id: args.to }
    const { order } = await import('../../src/cli/topics/gateway/order.ts')
    const { reply, order: facts } = await order(this, 'createSubTransfer', { body }, flags, {
      action: `Transfer ${args.amount} ${currency} from sub-account ${args.from} to ${args.to}`,
      pays: { amount: args.amount, currency },
      again: { args: [args.from, args.to, args.amount, args.currency] },
    })
    if (reply) this.fields(reply.result, subTransferFields)
    return { ...reply?.result, ...facts }
  }
}
