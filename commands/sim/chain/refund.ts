import { Args, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import { ChainCommand, chainSchema } from '../../../src/cli/topics/sim/chain-command.ts'

export default class SimChainRefund extends ChainCommand {
  static override summary = 'Send back what a payment received, to its payer or to an address'
  static override examples = ['countroom sim chain refund 5745459419']
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = { payment: Args.string({ required: true, description: 'The payment_id' }) }
  static override flags = {
    ...dryRunFlag,
    to: Flags.string({ summary: "Where it goes; the payer's address unless said", helpValue: 'ADDRESS' }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ refunded: Type.String(), currency: Type.String(), ...(await chainSchema()) })
  }

  override async run() {
    const { args, flags } = await this.parse(SimChainRefund)
    const id = this.paymentId(args.payment)
    const { gateway } = await this.world()
    const { refundPayment } = await import('../../../src/services/gateway/admin/platform.ts')
    const { refunded, currency } = await refundPayment(gateway, id, flags.to)
    this.footnote(
      'It is on its way: "countroom sim chain block" or "countroom console clock advance" makes the blocks that confirm it.',
    )
    return { refunded, currency, ...(await this.after(id)) }
  }
}
