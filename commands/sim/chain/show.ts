import { Args } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { ChainCommand, chainSchema } from '../../../src/cli/topics/sim/chain-command.ts'

export default class SimChainShow extends ChainCommand {
  static override summary = 'Show the deposits to a payment and their state'
  static override examples = ['countroom sim chain show 5745459419']
  static override exits = ['not-found'] as const
  static override args = { payment: Args.string({ required: true, description: 'Payment ID (payment_id)' }) }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object(chainSchema(shapes))
  }

  override async run() {
    const { args } = await this.parse(SimChainShow)
    return this.after(this.paymentId(args.payment))
  }
}
