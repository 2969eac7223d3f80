import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { listFlags } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'

export default class ConsoleChatTenantsList extends CountroomCommand {
  static override summary = 'List the merchants of the chat'
  static override examples = ['countroom console chat tenants list']
  static override flags = { ...listFlags }
  static override data = ({ Type }: Shapes) => {
    const row = Type.Object({
      code: Type.String(),
      name: Type.String(),
      plan: Type.String(),
      tenantKey: Type.String(),
      defaultForm: Type.String(),
      origins: Type.Array(Type.String()),
      createdAt: Type.String(),
    })
    return Type.Object({ tenants: Type.Array(row) })
  }

  override async run() {
    await this.parse(ConsoleChatTenantsList)
    const { store } = await this.services.world()
    const { allChatTenants } = await import('../../../../src/services/chat/queries/tenants.ts')
    const tenants = (await store.read(allChatTenants)).map((row) => ({
      code: row.code,
      name: row.name,
      plan: row.plan as string,
      tenantKey: row.tenant_key,
      defaultForm: row.default_form,
      origins: JSON.parse(row.origins) as string[],
      createdAt: new Date(row.created_at).toISOString(),
    }))
    this.table(tenants, ['code', 'name', 'plan', 'defaultForm', 'origins', { key: 'tenantKey', whole: true }])
    return { tenants }
  }
}
