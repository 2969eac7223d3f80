import { Args, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { ChainCommand, chainSchema } from '../../../src/cli/topics/sim/chain-command.ts'

export default class SimChainRefund extends ChainCommand {
  static override summary = 'Refund a payment to its sender or to an address'
  static override examples = ['countroom sim chain refund 5745459419']
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = { payment: Args.string({ required: true, description: 'Payment ID (payment_id)' }) }
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
    const id = this.paymentId(args.payment)
    const { gateway } = await this.services.world()
    const { refundPayment } = await import('../../../src/services/gateway/admin/platform.ts')
    const { refunded, currency } = await refundPayment(gateway, id, flags.to)
    this.footnote(
      'The refund is sent. To confirm it, add blocks: countroom sim chain block NETWORK, or countroom console clock advance 1h',
    )
    return { refunded, currency, ...(await this.after(id)) }
  }
}
