import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { chainSchema, paymentArg, paymentIdFrom } from '../../../src/cli/topics/sim/chain-fields.ts'

export default class SimChainConfirm extends CountroomCommand {
  static override summary = 'Confirm the deposits of a payment, without moving the clock'
  static override examples = ['countroom sim chain confirm 5745459419']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = paymentArg
  static override flags = { ...dryRunFlag }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ confirmed: Type.Integer(), ...chainSchema(shapes) })
  }

  override async run() {
    const { args } = await this.parse(SimChainConfirm)
    const { confirmPayment } = await import('../../../src/cli/topics/sim/chain.ts')
    return confirmPayment(this, paymentIdFrom(args.payment))
  }
}
