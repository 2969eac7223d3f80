import { betLimitsSchema, betLimitsView } from '../../../src/cli/arguments/bet-limits.ts'
import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { listFlags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { tenantArg } from '../../../src/cli/topics/console/tenant-fields.ts'

export default class ConsoleBetLimitsList extends CountroomCommand {
  static override summary = 'List the bet limit profiles that a tenant can assign'
  static override examples = ['countroom console bet-limits list DEMO']
  static override exits = ['not-found'] as const
  static override args = tenantArg
  static override flags = { ...listFlags }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ betLimits: Type.Array(Type.Object(betLimitsSchema(shapes))) })
  }

  override async run() {
    const { args } = await this.parse(ConsoleBetLimitsList)
    const { casino } = await this.services.world()
    const { listLimitProfiles } = await import('../../../src/services/casino/admin/index.ts')
    const betLimits = (await listLimitProfiles(casino, args.code)).map(betLimitsView)
    this.table(betLimits, [
      { key: 'limitProfileId', title: 'id', kind: 'count' },
      'game',
      'currency',
      { key: 'min', kind: 'amount' },
      { key: 'max', kind: 'amount' },
      { key: 'owner', show: (owner) => (owner === null ? 'platform' : String(owner)) },
      'name',
    ])
    return { betLimits }
  }
}
