import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { Flags, listFlags, moreThere } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { merchantFlags } from '../../../../src/cli/topics/console/merchant.ts'
import { fundsSchema } from '../../../../src/cli/topics/merchants/fields.ts'

export default class ConsoleMerchantsFundsList extends CountroomCommand {
  static override summary = 'List frozen and foreign deposits, newest first'
  static override description =
    'A frozen deposit came from an address on the sanctions list. A foreign deposit is in another token than that of the payment, so it is never credited. Each is held until it is released or returned.'
  static override examples = ['countroom console merchants funds list']
  static override exits = ['not-found'] as const
  static override flags = {
    limit: Flags.integer({ summary: 'Maximum number of results', default: 100, min: 1, max: 100_000, helpValue: 'N' }),
    ...merchantFlags,
    ...listFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ funds: Type.Array(fundsSchema(shapes)), more: Type.Boolean(moreThere) })
  }

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsFundsList)
    const { showFunds } = await import('../../../../src/cli/topics/merchants/funds.ts')
    return showFunds(this, flags)
  }
}
