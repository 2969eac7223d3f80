import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { listFlags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { tenantArg } from '../../../src/cli/topics/console/tenant-fields.ts'

export default class ConsoleKeysList extends CountroomCommand {
  static override summary = "List a tenant's API keys, without secrets"
  static override examples = ['countroom console keys list DEMO']
  static override exits = ['not-found'] as const
  static override args = tenantArg
  static override flags = { ...listFlags }
  static override data = ({ Type }: Shapes) => {
    const moment = Type.Union([Type.String(), Type.Null()])
    const row = Type.Object({
      apiKey: Type.String(),
      state: Type.String(),
      createdAt: Type.String(),
      retiresAt: moment,
      revokedAt: moment,
    })
    return Type.Object({ keys: Type.Array(row) })
  }

  override async run() {
    const { args } = await this.parse(ConsoleKeysList)
    const { casino, clock } = await this.services.world()
    const { listKeys } = await import('../../../src/services/casino/admin/index.ts')
    const now = await clock.now()
    const keys = (await listKeys(casino, args.code)).map((key) => ({
      apiKey: key.key_id,
      state: stateOf(key.revoked_at, key.retires_at, now),
      createdAt: new Date(key.created_at).toISOString(),
      retiresAt: key.retires_at === null ? null : new Date(key.retires_at).toISOString(),
      revokedAt: key.revoked_at === null ? null : new Date(key.revoked_at).toISOString(),
    }))
    this.table(keys, [
      { key: 'apiKey', whole: true },
      'state',
      { key: 'createdAt', title: 'created (UTC)', show: minute },
      { key: 'retiresAt', title: 'retires (UTC)', show: minute },
      { key: 'revokedAt', title: 'revoked (UTC)', show: minute },
    ])
    return { keys }
  }
}

/** Minutes are enough on a terminal; CSV and JSON have the full timestamp. */
const minute = (at: unknown): string => (typeof at === 'string' ? at.slice(0, 16).replace('T', ' ') : '')

function stateOf(revokedAt: number | null, retiresAt: number | null, now: number): string {
  if (revokedAt !== null) return 'revoked'
  if (retiresAt === null) return 'working'
  return retiresAt > now ? 'rotated' : 'retired'
}
