import { refuseFaults } from '../../src/cli/arguments/validate.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { amountColumn } from '../../src/cli/topics/gateway/arguments.ts'
import { coinAmountFault } from '../../src/domain/payments/order-faults.ts'

export default class PayoutsFee extends CountroomCommand {
  static override summary = 'Show the network fee and the minimum of a payout'
  static override examples = ['countroom payouts fee 100 usdttrc20']
  static override exits = ['permission', 'temporary'] as const
  static override args = {
    amount: Args.string({ required: true, description: 'Amount' }),
    coin: Args.string({ required: true, description: 'Coin code' }),
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({ currency: Type.String(), fee: Type.Number(), minimum: Type.Number() })

  override async run() {
    const { args } = await this.parse(PayoutsFee)
    refuseFaults([coinAmountFault(args.amount)])
    const { gateway } = await this.services.gateway()
    const [{ currency, fee }, { result: minimum }] = await Promise.all([
      gateway.payoutFee({ query: { currency: args.coin, amount: args.amount } }),
      gateway.payoutMinimum({ params: { coin: args.coin } }),
    ])
    const result = { currency, fee, minimum }
    this.fields(result, [amountColumn('fee', 'network fee'), amountColumn('minimum', 'minimum payout'), 'currency'])
    return result
  }
}
