import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { chainSchema, paymentArg, paymentIdFrom } from '../../../src/cli/topics/sim/chain-fields.ts'

export default class SimChainReorg extends CountroomCommand {
  static override summary = 'Remove a deposit with few confirmations, as a chain reorganization does'
  static override examples = ['countroom sim chain reorg 5745459419']
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = paymentArg
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
    const { reorganize } = await import('../../../src/cli/topics/sim/chain.ts')
    return reorganize(this, paymentIdFrom(args.payment), flags.tx)
  }
}
