import { refuseFaults } from '../../src/cli/arguments/validate.ts'
import { Args } from '../../src/cli/framework/flags.ts'
import { amountColumn, coinAmountFault, tickerFault } from '../../src/cli/topics/gateway/arguments.ts'
import { GatewayCommand } from '../../src/cli/topics/gateway/command.ts'

export default class PaymentsEstimate extends GatewayCommand {
  static override summary = 'Say what an amount comes to in another currency now, and whether it is enough to be paid'
  static override examples = ['countroom payments estimate 29.99 usd btc']
  static override exits = ['permission', 'temporary'] as const
  static override args = {
    amount: Args.string({ required: true, description: 'The amount' }),
    from: Args.string({ required: true, description: 'Its currency' }),
    to: Args.string({ required: true, description: 'The other currency' }),
  }
  static override data = async () => {
    const [{ Type }, { Estimate }] = await Promise.all([
      import('typebox'),
      import('../../src/services/gateway/api/schemas.ts'),
    ])
    return Type.Object({ ...Estimate.properties, min_amount: Type.Union([Type.Number(), Type.Null()]) })
  }

  override async run() {
    const { args } = await this.parse(PaymentsEstimate)
    refuseFaults([coinAmountFault(args.amount), tickerFault(args.from), tickerFault(args.to)])
    const { gateway } = await this.gateway()
    const query = { amount: args.amount, currency_from: args.from, currency_to: args.to }
    const [estimate, minimum] = await Promise.all([
      gateway.estimate({ query }),
      // Of a coin that payments are made in; a fiat currency has no smallest payment of its own.
      gateway.minAmount({ query: { currency_from: args.to } }).catch(() => undefined),
    ])
    const result = { ...estimate, min_amount: minimum?.min_amount ?? null }
    this.fields(result, [
      amountColumn('amount_from', 'amount'),
      { key: 'currency_from', title: 'in' },
      amountColumn('estimated_amount', 'comes to'),
      { key: 'currency_to', title: 'in' },
      amountColumn('min_amount', 'smallest payment'),
    ])
    if (result.min_amount !== null && estimate.estimated_amount < result.min_amount)
      this.warn(`That is below the smallest payment in ${estimate.currency_to}`)
    return result
  }
}
