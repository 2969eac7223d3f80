import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { Problem } from '../../../src/kit/problem.ts'

export default class SimChainSanction extends CountroomCommand {
  static override summary = 'Put an address on the sanctions list'
  static override examples = ['countroom sim chain sanction TTq2h3jJgR1JgRyLqkqHHBjHYzDQDE8HSa']
  static override writes = true
  static override args = { address: Args.string({ required: true, description: 'Address' }) }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ address: Type.String() })

  override async run() {
    const { args } = await this.parse(SimChainSanction)
    const { isAddressSomewhere } = await import('../../../src/domain/chains/addresses.ts')
    if (!isAddressSomewhere(args.address))
      throw new Problem('INVALID_ADDRESS', `${args.address} is not an address of any network`)
    const { gateway } = await this.services.world()
    const { sanction } = await import('../../../src/services/gateway/admin/platform.ts')
    await sanction(gateway, args.address)
    this.log(`${args.address} is on the sanctions list.`)
    return { address: args.address }
  }
}
