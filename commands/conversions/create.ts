import { parameterFault, refuseFaults } from '../../src/cli/arguments/validate.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args } from '../../src/cli/framework/flags.ts'
import { moneyExits } from '../../src/cli/outcome/exit-codes.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { amountColumn, jsonAmount, plainNumber, statusColumn } from '../../src/cli/topics/gateway/arguments.ts'
import { orderedSchema, orderFiles, orderFlags } from '../../src/cli/topics/gateway/order-flags.ts'
import { coinAmountFault, tickerFault } from '../../src/domain/payments/order-faults.ts'

export default class ConversionsCreate extends CountroomCommand {
  static override summary = 'Convert an amount of one coin into another at the current rate'
  static override examples = ['countroom conversions create 0.1 btc usdttrc20']
  static override args = {
    amount: Args.string({ required: true, description: 'Amount to convert' }),
    from: Args.string({ required: true, description: 'Coin to sell' }),
    to: Args.string({ required: true, description: 'Coin to buy' }),
  }
  static override flags = { ...orderFlags }
  static override data = (shapes: Shapes) => orderedSchema(shapes, shapes.gateway.Conversion)

  static override writes = true
  static override exits = moneyExits
  static override files = orderFiles

  override async run() {
    const { args, flags } = await this.parse(ConversionsCreate)
    const [from_currency, to_currency] = [args.from.toLowerCase(), args.to.toLowerCase()]
    refuseFaults([
      coinAmountFault(args.amount),
      tickerFault(args.from),
      tickerFault(args.to),
      parameterFault('to_currency', from_currency === to_currency, 'A conversion needs two different coins'),
    ])
    const body = { amount: jsonAmount(args.amount), from_currency, to_currency }
    const { order } = await import('../../src/cli/topics/gateway/order.ts')
    const { reply, order: facts } = await order(this, 'createConversion', { body }, flags, {
      action: `Convert ${args.amount} ${from_currency} into ${to_currency}`,
      pays: { amount: args.amount, currency: from_currency },
      rehearse: async ({ gateway }) => {
        const query = { amount: args.amount, currency_from: from_currency, currency_to: to_currency }
        const { estimated_amount } = await gateway.estimate({ query })
        return `Valid. At the current rate it gives ${plainNumber(estimated_amount)} ${to_currency}`
      },
      again: { args: [args.amount, args.from, args.to] },
    })
    if (reply)
      this.fields(reply.result, [
        { key: 'id', title: 'conversion' },
        statusColumn('status'),
        amountColumn('from_amount', 'gave'),
        { key: 'from_currency', title: 'from' },
        amountColumn('to_amount', 'got'),
        { key: 'to_currency', title: 'to' },
      ])
    return { ...reply?.result, ...facts }
  }
}
