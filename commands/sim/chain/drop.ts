import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'

export default class SimChainDrop extends CountroomCommand {
  static override summary = 'Drop a payout that is being sent: it fails and its funds are returned'
  static override examples = ['countroom sim chain drop 5745459419']
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = { payout: Args.string({ required: true, description: 'ID of one payout of a batch' }) }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ payout: Type.String(), hash: Type.String() })

  override async run() {
    const { args } = await this.parse(SimChainDrop)
    const { gateway } = await this.services.world()
    const { dropPayout } = await import('../../../src/services/gateway/simulator/chain-control.ts')
    const { id, hash } = await dropPayout(gateway, args.payout)
    this.fields({ payout: id, hash })
    return { payout: id, hash }
  }
}
