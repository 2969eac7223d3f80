import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import { environmentFlag, MerchantCommand } from '../../../src/cli/topics/console/merchant-command.ts'

export default class ConsoleMerchantsPlatform extends MerchantCommand {
  static override summary = 'Freeze a whole side of the gateway, or let it move again; or tell which it is'
  static override description =
    'Nobody on that side creates a payment, invoice, payout or conversion then (FROZEN), and what was to go out waits. What customers pay meanwhile is credited.'
  static override examples = [
    'countroom console merchants platform --freeze',
    'countroom console merchants platform --unfreeze --environment sandbox',
  ]
  static override writes = true
  static override flags = {
    ...dryRunFlag,
    freeze: Flags.boolean({ summary: 'Freeze it', exclusive: ['unfreeze'] }),
    unfreeze: Flags.boolean({ summary: 'Let it move again' }),
    ...environmentFlag,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ environment: Type.String(), frozen: Type.Boolean() })
  }

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsPlatform)
    const { gateway } = await this.world()
    const { freezePlatform, isPlatformFrozen } = await import('../../../src/services/gateway/admin/merchant.ts')
    const environment = this.environmentOf(flags)
    const wanted = flags.freeze ? true : flags.unfreeze ? false : undefined
    if (wanted !== undefined) await freezePlatform(gateway, environment, wanted)
    const result = { environment, frozen: wanted ?? (await isPlatformFrozen(gateway, environment)) }
    this.fields(result)
    return result
  }
}
