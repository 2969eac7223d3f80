import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { environmentFlag, environmentOf } from '../../../src/cli/topics/console/merchant.ts'

export default class ConsoleMerchantsPlatform extends CountroomCommand {
  static override summary = 'Freeze or unfreeze a gateway environment, or show its state'
  static override description =
    'While an environment is frozen, creating a payment, invoice, payout or conversion fails with FROZEN, and queued payouts wait. Deposits by customers are still credited.'
  static override examples = [
    'countroom console merchants platform --freeze',
    'countroom console merchants platform --unfreeze --environment sandbox',
  ]
  static override writes = true
  static override flags = {
    ...dryRunFlag,
    freeze: Flags.boolean({ summary: 'Freeze the environment', exclusive: ['unfreeze'] }),
    unfreeze: Flags.boolean({ summary: 'Unfreeze the environment' }),
    ...environmentFlag,
  }
  static override data = ({ Type }: Shapes) => Type.Object({ environment: Type.String(), frozen: Type.Boolean() })

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsPlatform)
    const { gateway } = await this.services.world()
    const { freezePlatform, isPlatformFrozen } = await import('../../../src/services/gateway/admin/merchant.ts')
    const environment = environmentOf(this, flags)
    const frozen = flags.freeze ? true : flags.unfreeze ? false : undefined
    if (frozen !== undefined) await freezePlatform(gateway, environment, frozen)
    const result = { environment, frozen: frozen ?? (await isPlatformFrozen(gateway, environment)) }
    this.fields(result)
    return result
  }
}
