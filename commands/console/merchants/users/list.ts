import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { listFlags } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { merchantFlags, merchantOf } from '../../../../src/cli/topics/console/merchant.ts'

export default class ConsoleMerchantsUsersList extends CountroomCommand {
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
    const { gateway } = await this.services.world()
    const { listMerchantUsers } = await import('../../../../src/services/gateway/admin/merchant-users.ts')
    const users = await listMerchantUsers(gateway, await merchantOf(this, flags))
    this.table(users, [{ key: 'email', whole: true }, 'permissions'], 'No users.')
    return { users }
  }
}
