import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import { WorldCommand } from '../../../src/cli/topics/console/command.ts'
import { tenantArg } from '../../../src/cli/topics/console/tenant-state.ts'
import { gameNames } from '../../../src/domain/games/game.ts'

const amount = (summary: string) => Flags.string({ summary, required: true, helpValue: 'AMOUNT' })

export default class ConsoleBetLimitsCreate extends WorldCommand {
  static override summary = 'Make bet limits that a tenant may give to its players'
  static override description =
    'For one game in one currency: the smallest and the largest bet on a zone. A player gets them by their number, with "players update USER --limit-profile ID" or at the launch.'
  static override examples = [
    'countroom console bet-limits create DEMO --game baccarat --currency USD --min 5 --max 500 --name "low stakes"',
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = {
    ...dryRunFlag,
    game: Flags.string({ summary: 'The game', required: true, options: [...gameNames] }),
    currency: Flags.string({ summary: 'The currency', required: true, helpValue: 'CUR' }),
    min: amount('The smallest bet'),
    max: amount('The largest bet'),
    name: Flags.string({ summary: 'A name to show in lists', helpValue: 'TEXT' }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const { betLimitsSchema } = await import('../../../src/cli/arguments/bet-limits.ts')
    return Type.Object(betLimitsSchema(Type))
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleBetLimitsCreate)
    const { casino } = await this.world()
    const [{ createLimitProfile }, { betLimitsView }] = await Promise.all([
      import('../../../src/services/casino/admin/index.ts'),
      import('../../../src/cli/arguments/bet-limits.ts'),
    ])
    const { game, currency, min, max, name } = flags
    const result = betLimitsView(await createLimitProfile(casino, args.code, { name, game, currency, min, max }))
    this.fields(result)
    return result
  }
}
