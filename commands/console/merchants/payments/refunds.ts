import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { Args, Flags, listFlags, moreThere } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { merchantFlags } from '../../../../src/cli/topics/console/merchant.ts'
import { refundSchema } from '../../../../src/cli/topics/merchants/fields.ts'

export default class ConsoleMerchantsPaymentsRefunds extends CountroomCommand {
  static override summary = 'List refunds and returned deposits, newest first'
  static override examples = [
    'countroom console merchants payments refunds',
    {
      command: 'countroom console merchants payments refunds 5745459419',
      description: 'List the refunds of a payment',
    },
  ]
  static override exits = ['not-found'] as const
  static override args = { payment: Args.string({ description: 'Payment ID (default: all of the merchant)' }) }
  static override flags = {
    limit: Flags.integer({ summary: 'Maximum number of results', default: 100, min: 1, max: 100_000, helpValue: 'N' }),
    ...merchantFlags,
    ...listFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ refunds: Type.Array(refundSchema(shapes)), more: Type.Boolean(moreThere) })
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleMerchantsPaymentsRefunds)
    const { showRefunds } = await import('../../../../src/cli/topics/merchants/refunds.ts')
    return showRefunds(this, args.payment, flags)
  }
}
