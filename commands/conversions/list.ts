import { checkMoments } from '../../src/cli/arguments/moments.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Flags, moreThere } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { amountColumn, statusColumn, wholeColumn } from '../../src/cli/topics/gateway/arguments.ts'
import { gatewayListFlags, listPages } from '../../src/cli/topics/gateway/list-pages.ts'
import { definedFields } from '../../src/kit/defined-fields.ts'

export default class ConversionsList extends CountroomCommand {
  static override summary = 'List conversions, newest first'
  static override examples = ['countroom conversions list --from-currency btc']
  static override exits = ['permission', 'temporary'] as const
  static override flags = {
    'from-currency': Flags.string({ summary: 'Conversions from this coin only', helpValue: 'COIN' }),
    'to-currency': Flags.string({ summary: 'Conversions to this coin only', helpValue: 'COIN' }),
    from: Flags.string({ summary: 'Created on or after this day or time', helpValue: 'DATE' }),
    to: Flags.string({ summary: 'Created on or before this day or time', helpValue: 'DATE' }),
    asc: Flags.boolean({ summary: 'Sort ascending (oldest first)' }),
    ...gatewayListFlags,
  }
  static override data = ({ Type, gateway }: Shapes) =>
    Type.Object({
      conversions: Type.Array(gateway.Conversion),
      count: Type.Integer(),
      more: Type.Boolean(moreThere),
    })

  override async run() {
    const { flags } = await this.parse(ConversionsList)
    checkMoments(flags.from, flags.to)
    const { gateway } = await this.services.gateway()
    let count = 0
    const { rows: conversions, more } = await listPages(this, flags.limit, async (limit, _page, offset) => {
      const query = {
        limit,
        offset,
        order: flags.asc ? 'ASC' : 'DESC',
        ...definedFields({
          from_currency: flags['from-currency'],
          to_currency: flags['to-currency'],
          created_at_from: flags.from,
          created_at_to: flags.to,
        }),
      }
      const reply = await gateway.conversions({ query })
      count = reply.count
      return reply.result
    })
    this.table(
      conversions,
      [
        wholeColumn('id', 'conversion'),
        statusColumn('status'),
        amountColumn('from_amount', 'gave'),
        { key: 'from_currency', title: 'from' },
        amountColumn('to_amount', 'got'),
        { key: 'to_currency', title: 'to' },
        { key: 'created_at', title: 'created' },
      ],
      'No conversions.',
    )
    return { conversions, count, more }
  }
}
