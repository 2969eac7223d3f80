import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'

export default class SimChainSanction extends CountroomCommand {
  static override summary = 'Put an address on the sanctions list'
  static override examples = ['countroom sim chain sanction TTq2h3jJgR1JgRyLqkqHHBjHYzDQDE8HSa']
  static override writes = true
  static override args = { address: Args.string({ required: true, description: 'Address' }) }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ address: Type.String() })

  override async run() {
    const { args } = await this.parse(SimChainSanction)
    const { sanctionAddress } = await import('../../../src/cli/topics/sim/chain.ts')
    return sanctionAddress(this, args.address)
  }
}
