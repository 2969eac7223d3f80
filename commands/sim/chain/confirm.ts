import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { ChainCommand, chainSchema } from '../../../src/cli/topics/sim/chain-command.ts'

export default class SimChainConfirm extends ChainCommand {
  static override summary = 'Confirm the deposits of a payment, without moving the clock'
  static override examples = ['countroom sim chain confirm 5745459419']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = { payment: Args.string({ required: true, description: 'Payment ID (payment_id)' }) }
  static override flags = { ...dryRunFlag }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ confirmed: Type.Integer(), ...chainSchema(shapes) })
  }

  override async run() {
    const { args } = await this.parse(SimChainConfirm)
    const id = this.paymentId(args.payment)
    const { gateway } = await this.services.world()
    const { confirmDeposits } = await import('../../../src/services/gateway/simulator/chain-control.ts')
    const { confirmed } = await confirmDeposits(gateway, id)
    return { confirmed, ...(await this.after(id)) }
  }
}
