import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { merchantFlags, merchantOf } from '../../../../src/cli/topics/console/merchant.ts'

export default class ConsoleMerchantsIpnUrl extends CountroomCommand {
  static override summary = 'Set the default IPN URL of a merchant, or "none"'
  static override examples = [
    'countroom console merchants ipn url https://shop.example/ipn',
    'countroom console merchants ipn url none --environment sandbox',
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = { url: Args.string({ required: true, description: 'URL, or "none"' }) }
  static override flags = { ...dryRunFlag, ...merchantFlags }
  static override data = ({ Type }: Shapes) =>
    Type.Object({ id: Type.String(), ipnUrl: Type.Union([Type.String(), Type.Null()]) })

  override async run() {
    const { args, flags } = await this.parse(ConsoleMerchantsIpnUrl)
    const { gateway } = await this.services.world()
    const { setMerchant } = await import('../../../../src/services/gateway/admin/platform.ts')
    const ipnUrl = args.url === 'none' ? null : args.url
    const row = await setMerchant(gateway, await merchantOf(this, flags), { ipnUrl })
    const result = { id: row.id, ipnUrl: row.ipn_url }
    this.fields(result)
    return result
  }
}
