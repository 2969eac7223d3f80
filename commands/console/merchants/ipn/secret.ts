import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { dangerFlags } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { merchantFlags, merchantOf } from '../../../../src/cli/topics/console/merchant.ts'
import { shownOnce } from '../../../../src/cli/topics/console/shown-once.ts'

export default class ConsoleMerchantsIpnSecret extends CountroomCommand {
  static override summary = 'Replace the IPN secret of a merchant'
  static override description =
    'The next IPN is signed with the new secret, so update the receiver at once. The secret is shown only once.'
  static override examples = ['countroom console merchants ipn secret --yes --merchant 5000000001']
  static override exits = ['confirmation', 'not-found'] as const
  static override writes = true
  static override flags = { ...dangerFlags, ...merchantFlags }
  static override data = ({ Type }: Shapes) => Type.Object({ id: Type.String(), ipnSecret: Type.String() })

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsIpnSecret)
    const { gateway } = await this.services.world()
    const id = await merchantOf(this, flags)
    await this.confirmDanger(`Replace the IPN secret of merchant ${id}`)
    const { renewIpnSecret } = await import('../../../../src/services/gateway/admin/merchant.ts')
    const ipnSecret = shownOnce(this, (await renewIpnSecret(gateway, id)).ipnSecret)
    this.fields({ merchant: id, 'ipn secret': ipnSecret })
    if (!this.isDryRun) this.note('Copy the secret now: it is not shown again.')
    return { id, ipnSecret }
  }
}
