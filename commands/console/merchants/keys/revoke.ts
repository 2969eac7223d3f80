import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { merchantFlags, merchantOf } from '../../../../src/cli/topics/console/merchant.ts'

export default class ConsoleMerchantsKeysRevoke extends CountroomCommand {
  static override summary = 'Revoke an API key of a merchant at once'
  static override examples = ['countroom console merchants keys revoke 0a1b2c3d4e5f']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = { id: Args.string({ required: true, description: 'Key ID, from keys list' }) }
  static override flags = { ...dryRunFlag, ...merchantFlags }
  static override data = ({ Type }: Shapes) => Type.Object({ id: Type.String(), revokedAt: Type.String() })

  override async run() {
    const { args, flags } = await this.parse(ConsoleMerchantsKeysRevoke)
    const { gateway } = await this.services.world()
    const { revokeKeyOf } = await import('../../../../src/services/gateway/admin/merchant.ts')
    const { id, revokedAt } = await revokeKeyOf(gateway, await merchantOf(this, flags), args.id)
    const result = { id, revokedAt: new Date(revokedAt).toISOString() }
    this.fields(result)
    return result
  }
}
