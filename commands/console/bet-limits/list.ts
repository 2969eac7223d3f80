import { listFlags } from '../../../src/cli/flags.ts'
import { tenantArg } from '../../../src/cli/tenant-state.ts'
import { WorldCommand } from '../../../src/cli/world-command.ts'

export default class ConsoleBetLimitsList extends WorldCommand {
  static override summary = "List the bet limits a tenant may give: its own, and the platform's templates"
  static override examples = ['countroom console bet-limits list DEMO']
  static override exits = ['not-found'] as const
  static override args = tenantArg
  static override flags = { ...listFlags }
  static override data = async () => {
    const { Type } = await import('typebox')
    const { betLimitsSchema } = await import('../../../src/cli/bet-limits-view.ts')
    return Type.Object({ betLimits: Type.Array(Type.Object(betLimitsSchema(Type))) })
  }

  override async run() {
    const { args } = await this.parse(ConsoleBetLimitsList)
    const { casino } = await this.world()
    const [{ listLimitProfiles }, { betLimitsView }] = await Promise.all([
      import('../../../src/casino/console.ts'),
      import('../../../src/cli/bet-limits-view.ts'),
    ])
    const betLimits = (await listLimitProfiles(casino, args.code)).map(betLimitsView)
    this.table(betLimits, [
      { key: 'limitProfileId', title: 'id', kind: 'count' },
      'game',
      'currency',
      { key: 'min', kind: 'amount' },
      { key: 'max', kind: 'amount' },
      { key: 'owner', show: (owner) => (owner === null ? 'the platform' : String(owner)) },
      'name',
    ])
    return { betLimits }
  }
}
