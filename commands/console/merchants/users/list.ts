import { listFlags } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { MerchantCommand, merchantFlags } from '../../../../src/cli/topics/console/merchant-command.ts'

export default class ConsoleMerchantsUsersList extends MerchantCommand {
  static override summary = "List a merchant's console users and their permissions"
  static override examples = ['countroom console merchants users list']
  static override exits = ['not-found'] as const
  static override flags = { ...merchantFlags, ...listFlags }
  static override data = ({ Type }: Shapes) => {
    const row = Type.Object({ email: Type.String(), permissions: Type.Array(Type.String()) })
    return Type.Object({ users: Type.Array(row) })
  }

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsUsersList)
    const { gateway } = await this.world()
    const { listMerchantUsers } = await import('../../../../src/services/gateway/admin/merchant-users.ts')
    const users = await listMerchantUsers(gateway, await this.merchantId(flags))
    this.table(users, [{ key: 'email', whole: true }, 'permissions'], 'No users.')
    return { users }
  }
}
