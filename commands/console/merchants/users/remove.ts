import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { merchantFlags, merchantOf } from '../../../../src/cli/topics/console/merchant.ts'

export default class ConsoleMerchantsUsersRemove extends CountroomCommand {
  static override summary = 'Remove a console user and revoke its tokens; the last user cannot be removed'
  static override examples = ['countroom console merchants users remove desk@acme.example']
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = { email: Args.string({ required: true, description: 'Email address of the user' }) }
  static override flags = { ...dryRunFlag, ...merchantFlags }
  static override data = ({ Type }: Shapes) => Type.Object({ email: Type.String() })

  override async run() {
    const { args, flags } = await this.parse(ConsoleMerchantsUsersRemove)
    const { gateway } = await this.services.world()
    const { removeMerchantUser } = await import('../../../../src/services/gateway/admin/merchant-users.ts')
    const result = await removeMerchantUser(gateway, await merchantOf(this, flags), args.email)
    this.fields(result)
    return result
  }
}
