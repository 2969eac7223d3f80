import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { environmentFlag, environmentOf } from '../../../src/cli/topics/console/merchant.ts'
import { networkCodes } from '../../../src/domain/chains/networks.ts'

export default class SimChainBlock extends CountroomCommand {
  static override summary = 'Add blocks to a network'
  static override description =
    'Every watched transaction gets one confirmation per block. The clock of the world also adds blocks; "console clock advance" does so on all networks.'
  static override examples = ['countroom sim chain block trx --blocks 19 --environment sandbox']
  static override writes = true
  static override args = {
    network: Args.string({ required: true, description: 'Network', options: [...networkCodes] }),
  }
  static override flags = {
    ...dryRunFlag,
    blocks: Flags.integer({ summary: 'Number of blocks', default: 1, min: 1, max: 10_000, helpValue: 'N' }),
    ...environmentFlag,
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      network: Type.String(),
      environment: Type.String(),
      blocks: Type.Integer(),
      moved: Type.Integer({ description: 'Number of transactions with new confirmations.' }),
    })

  override async run() {
    const { args, flags } = await this.parse(SimChainBlock)
    const world = await this.services.world()
    const { addBlocks } = await import('../../../src/services/gateway/simulator/chain-control.ts')
    const environment = environmentOf(this, flags)
    const network = networkCodes.find((code) => code === args.network) ?? 'eth'
    const { moved } = await addBlocks(world.gateway, environment, network, flags.blocks)
    const result = { network, environment, blocks: flags.blocks, moved }
    this.fields(result)
    return result
  }
}
