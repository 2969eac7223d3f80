import { Args, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { ChainCommand, chainSchema } from '../../../src/cli/topics/sim/chain-command.ts'

export default class SimChainReorg extends ChainCommand {
  static override summary = 'Remove a deposit with few confirmations, as a chain reorganization does'
  static override examples = ['countroom sim chain reorg 5745459419']
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = { payment: Args.string({ required: true, description: 'Payment ID (payment_id)' }) }
  static override flags = {
    ...dryRunFlag,
    tx: Flags.string({ summary: 'Deposit to remove (default: the newest removable one)', helpValue: 'ID' }),
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ txId: Type.String(), ...chainSchema(shapes) })
  }

  override async run() {
    const { args, flags } = await this.parse(SimChainReorg)
    const id = this.paymentId(args.payment)
    const { gateway } = await this.services.world()
    const [{ removeDeposit }, { takeableDeposit }] = await Promise.all([
      import('../../../src/services/gateway/admin/platform.ts'),
      import('../../../src/services/gateway/simulator/chain-control.ts'),
    ])
    const txId = flags.tx ?? (await takeableDeposit(gateway, id))
    await removeDeposit(gateway, txId)
    return { txId, ...(await this.after(id)) }
  }
}
