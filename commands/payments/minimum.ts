import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { amountColumn } from '../../src/cli/topics/gateway/arguments.ts'
import { definedFields } from '../../src/kit/defined-fields.ts'

export default class PaymentsMinimum extends CountroomCommand {
  static override summary = 'Show the minimum payment in a currency'
  static override examples = ['countroom payments minimum btc --fiat usd']
  static override exits = ['permission', 'temporary'] as const
  static override args = { currency: Args.string({ required: true, description: 'Currency to pay in' }) }
  static override flags = {
    to: Flags.string({ summary: 'Currency to be credited in', helpValue: 'CURRENCY' }),
    fiat: Flags.string({ summary: 'Currency for an equivalent value', helpValue: 'CURRENCY' }),
  }
  static override data = ({ gateway }: Shapes) => gateway.Minimum

  override async run() {
    const { args, flags } = await this.parse(PaymentsMinimum)
    const { gateway } = await this.services.gateway()
    const minimum = await gateway.minAmount({
      query: { currency_from: args.currency, ...definedFields({ currency_to: flags.to, fiat_equivalent: flags.fiat }) },
    })
    this.fields(minimum, [
      amountColumn('min_amount', 'smallest'),
      { key: 'currency_from', title: 'currency' },
      ...(flags.fiat === undefined ? [] : [amountColumn('fiat_equivalent', `in ${flags.fiat.toLowerCase()}`)]),
    ])
    return minimum
  }
}
