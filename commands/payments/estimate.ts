import { refuseFaults } from '../../src/cli/arguments/validate.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { amountColumn } from '../../src/cli/topics/gateway/arguments.ts'
import { coinAmountFault, tickerFault } from '../../src/domain/payments/order-faults.ts'

export default class PaymentsEstimate extends CountroomCommand {
  static override summary = 'Estimate an amount in another currency at the current rate'
  static override examples = ['countroom payments estimate 29.99 usd btc']
  static override exits = ['permission', 'temporary'] as const
  static override args = {
    amount: Args.string({ required: true, description: 'Amount' }),
    from: Args.string({ required: true, description: 'Currency of the amount' }),
    to: Args.string({ required: true, description: 'Currency to convert to' }),
  }
  static override data = ({ Type, gateway }: Shapes) =>
    Type.Object({ ...gateway.Estimate.properties, min_amount: Type.Union([Type.Number(), Type.Null()]) })

  override async run() {
    const { args } = await this.parse(PaymentsEstimate)
    refuseFaults([coinAmountFault(args.amount), tickerFault(args.from), tickerFault(args.to)])
    const { gateway } = await this.services.gateway()
    const query = { amount: args.amount, currency_from: args.from, currency_to: args.to }
    const [estimate, minimum] = await Promise.all([
      gateway.estimate({ query }),
      // Only coins have a minimum payment; fiat currencies do not.
      gateway.minAmount({ query: { currency_from: args.to } }).catch(() => undefined),
    ])
    const result = { ...estimate, min_amount: minimum?.min_amount ?? null }
    this.fields(result, [
      amountColumn('amount_from', 'amount'),
      { key: 'currency_from', title: 'from' },
      amountColumn('estimated_amount', 'estimate'),
      { key: 'currency_to', title: 'to' },
      amountColumn('min_amount', 'minimum payment'),
    ])
    if (result.min_amount !== null && estimate.estimated_amount < result.min_amount)
      this.warn(`The amount is below the minimum payment in ${estimate.currency_to}`)
    return result
  }
}
