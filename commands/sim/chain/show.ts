import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { chainSchema, paymentArg, paymentIdFrom } from '../../../src/cli/topics/sim/chain-fields.ts'

export default class SimChainShow extends CountroomCommand {
  static override summary = 'Show the deposits to a payment and their state'
  static override examples = ['countroom sim chain show 5745459419']
  static override exits = ['not-found'] as const
  static override args = paymentArg
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object(chainSchema(shapes))
  }

  override async run() {
    const { args } = await this.parse(SimChainShow)
    const { showChain } = await import('../../../src/cli/topics/sim/chain.ts')
    return showChain(this, paymentIdFrom(args.payment))
  }
}
