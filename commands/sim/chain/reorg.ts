import { Args, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import { ChainCommand, chainSchema } from '../../../src/cli/topics/sim/chain-command.ts'

export default class SimChainReorg extends ChainCommand {
  static override summary = 'Let a reorganisation take a deposit away that is not deep enough to stay'
  static override examples = ['countroom sim chain reorg 5745459419']
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = { payment: Args.string({ required: true, description: 'The payment_id' }) }
  static override flags = {
    ...dryRunFlag,
    tx: Flags.string({ summary: 'Which deposit; the latest that can go unless said', helpValue: 'ID' }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ txId: Type.String(), ...(await chainSchema()) })
  }

  override async run() {
    const { args, flags } = await this.parse(SimChainReorg)
    const id = this.paymentId(args.payment)
    const { gateway } = await this.world()
    const [{ removeDeposit }, { takeableDeposit }] = await Promise.all([
      import('../../../src/services/gateway/admin/platform.ts'),
      import('../../../src/services/gateway/simulator/chain-control.ts'),
    ])
    const txId = flags.tx ?? (await takeableDeposit(gateway, id))
    await removeDeposit(gateway, txId)
    return { txId, ...(await this.after(id)) }
  }
}
