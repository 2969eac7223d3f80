import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dangerFlags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { merchantFlags, merchantOf } from '../../../src/cli/topics/console/merchant.ts'
import { shownOnce } from '../../../src/cli/topics/console/shown-once.ts'

export default class ConsoleMerchantsMfa extends CountroomCommand {
  static override summary = "Replace a merchant's two-factor secret"
  static override description = 'The old secret stops working at once. The new one is shown only once.'
  static override examples = ['countroom console merchants mfa --yes --merchant 5000000001']
  static override exits = ['confirmation', 'not-found'] as const
  static override writes = true
  static override flags = { ...dangerFlags, ...merchantFlags }
  static override data = ({ Type }: Shapes) => Type.Object({ id: Type.String(), totpSecret: Type.String() })

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsMfa)
    const { gateway } = await this.services.world()
    const id = await merchantOf(this, flags)
    await this.confirmDanger(`Replace the two-factor secret of merchant ${id}`)
    const { enrollTotp } = await import('../../../src/services/gateway/admin/platform.ts')
    const totpSecret = shownOnce(this, (await enrollTotp(gateway, id)).totpSecret)
    this.fields({ merchant: id, '2FA secret': totpSecret })
    if (!this.isDryRun) this.note('Copy the secret now: it is not shown again.')
    return { id, totpSecret }
  }
}
