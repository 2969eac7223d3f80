import { dangerFlags } from '../../../../src/cli/framework/flags.ts'
import { MerchantCommand, merchantFlags } from '../../../../src/cli/topics/console/merchant-command.ts'

export default class ConsoleMerchantsIpnSecret extends MerchantCommand {
  static override summary = 'Put a new secret in the place of the one that signs callbacks'
  static override description = 'From the next callback on; the receiver must know it by then. It is shown this once.'
  static override examples = ['countroom console merchants ipn secret --yes --merchant 5000000001']
  static override exits = ['confirmation', 'not-found'] as const
  static override writes = true
  static override flags = { ...dangerFlags, ...merchantFlags }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ id: Type.String(), ipnSecret: Type.String() })
  }

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsIpnSecret)
    const { gateway } = await this.world()
    const id = await this.merchantId(flags)
    await this.confirmDanger(`End the secret that signs the callbacks of the merchant ${id}`)
    const { renewIpnSecret } = await import('../../../../src/services/gateway/admin/merchant.ts')
    const ipnSecret = this.onceTold((await renewIpnSecret(gateway, id)).ipnSecret)
    this.fields({ merchant: id, 'ipn secret': ipnSecret })
    if (!this.isDryRun) this.note('The secret is not shown again.')
    return { id, ipnSecret }
  }
}
