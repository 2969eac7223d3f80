import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { merchantFlags, merchantOf } from '../../../src/cli/topics/console/merchant.ts'

export default class ConsoleMerchantsWhitelist extends CountroomCommand {
  static override summary = 'Add or remove a payout address of the whitelist'
  static override examples = [
    'countroom console merchants whitelist usdttrc20 TTq2h3jJgR1JgRyLqkqHHBjHYzDQDE8HSa --environment sandbox',
    'countroom console merchants whitelist usdttrc20 TTq2h3jJgR1JgRyLqkqHHBjHYzDQDE8HSa --remove',
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = {
    coin: Args.string({ required: true, description: 'Coin code' }),
    address: Args.string({ required: true, description: 'Address' }),
  }
  static override flags = {
    ...dryRunFlag,
    remove: Flags.boolean({ summary: 'Remove the address' }),
    ...merchantFlags,
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({ coin: Type.String(), address: Type.String(), isWhitelisted: Type.Boolean() })

  override async run() {
    const { args, flags } = await this.parse(ConsoleMerchantsWhitelist)
    const { gateway } = await this.services.world()
    const { setWhitelisted } = await import('../../../src/services/gateway/admin/platform.ts')
    const id = await merchantOf(this, flags)
    const result = await setWhitelisted(gateway, id, args.coin, args.address, flags.remove !== true)
    this.fields(result, ['coin', { key: 'address', whole: true }, { key: 'isWhitelisted', title: 'whitelisted' }])
    return result
  }
}
