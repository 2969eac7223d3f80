import { CountroomCommand } from '../../src/cli/framework/command.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { amountColumn, idArg, statusColumn } from '../../src/cli/topics/gateway/arguments.ts'

export default class ConversionsShow extends CountroomCommand {
  static override summary = 'Show a conversion'
  static override examples = ['countroom conversions show 5000000193']
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override args = idArg('Conversion ID')
  static override data = ({ gateway }: Shapes) => gateway.Conversion

  override async run() {
    const { args } = await this.parse(ConversionsShow)
    const { gateway } = await this.services.gateway()
    const { result } = await gateway.conversion({ params: { id: args.id } })
    this.fields(result, [
      { key: 'id', title: 'conversion' },
      statusColumn('status'),
      amountColumn('from_amount', 'gave'),
      { key: 'from_currency', title: 'from' },
      amountColumn('to_amount', 'got'),
      { key: 'to_currency', title: 'to' },
      { key: 'created_at', title: 'created' },
    ])
    return result
  }
}
