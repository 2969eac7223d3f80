import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { listFlags } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { merchantFlags, merchantOf } from '../../../../src/cli/topics/console/merchant.ts'

export default class ConsoleMerchantsKeysList extends CountroomCommand {
  static override summary = "List the scopes and addresses of a merchant's API keys, without the keys"
  static override examples = ['countroom console merchants keys list']
  static override exits = ['not-found'] as const
  static override flags = { ...merchantFlags, ...listFlags }
  static override data = ({ Type }: Shapes) => {
    const row = Type.Object({
      id: Type.String({ description: 'ID for keys revoke' }),
      prefix: Type.String(),
      scopes: Type.Array(Type.String()),
      addresses: Type.Array(Type.String()),
      createdAt: Type.String(),
      revokedAt: Type.Union([Type.String(), Type.Null()]),
    })
    return Type.Object({ keys: Type.Array(row) })
  }

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsKeysList)
    const { gateway } = await this.services.world()
    const { listKeys } = await import('../../../../src/services/gateway/admin/merchant.ts')
    const keys = (await listKeys(gateway, await merchantOf(this, flags))).map((key) => ({
      ...key,
      createdAt: new Date(key.createdAt).toISOString(),
      revokedAt: key.revokedAt === null ? null : new Date(key.revokedAt).toISOString(),
    }))
    this.table(
      keys,
      [{ key: 'id', whole: true }, 'prefix', 'scopes', 'addresses', 'createdAt', 'revokedAt'],
      'No keys.',
    )
    return { keys }
  }
}
