import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { chainSchema, paymentArg, paymentIdFrom } from '../../../src/cli/topics/sim/chain-fields.ts'

export default class SimChainRefund extends CountroomCommand {
  static override summary = 'Refund a payment to its sender or to an address'
  static override examples = ['countroom sim chain refund 5745459419']
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = paymentArg
  static override flags = {
    ...dryRunFlag,
    to: Flags.string({ summary: 'Address to refund to (default: the sender)', helpValue: 'ADDRESS' }),
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ refunded: Type.String(), currency: Type.String(), ...chainSchema(shapes) })
  }

  override async run() {
    const { args, flags } = await this.parse(SimChainRefund)
    const { refund } = await import('../../../src/cli/topics/sim/chain.ts')
    return refund(this, paymentIdFrom(args.payment), flags.to)
  }
}
