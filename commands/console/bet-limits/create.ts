import { betLimitsSchema, betLimitsView } from '../../../src/cli/arguments/bet-limits.ts'
import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { tenantArg } from '../../../src/cli/topics/console/tenant-fields.ts'
import { gameNames } from '../../../src/domain/games/game.ts'

const amount = (summary: string) => Flags.string({ summary, required: true, helpValue: 'AMOUNT' })

export default class ConsoleBetLimitsCreate extends CountroomCommand {
  static override summary = 'Create a bet limit profile for players of a tenant'
  static override description =
    'A profile sets the minimum and maximum bet per zone, for one game in one currency. To assign it, pass its ID to "players update USER --limit-profile ID" or "launch USER --limit-profile ID".'
  static override examples = [
    'countroom console bet-limits create DEMO --game baccarat --currency USD --min 5 --max 500 --name "low stakes"',
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = {
    ...dryRunFlag,
    game: Flags.string({ summary: 'Game', required: true, options: [...gameNames] }),
    currency: Flags.string({ summary: 'Currency', required: true, helpValue: 'CUR' }),
    min: amount('Minimum bet'),
    max: amount('Maximum bet'),
    name: Flags.string({ summary: 'Name shown in lists', helpValue: 'TEXT' }),
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object(betLimitsSchema(shapes))
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleBetLimitsCreate)
    const { casino } = await this.services.world()
    const { createLimitProfile } = await import('../../../src/services/casino/admin/index.ts')
    const { game, currency, min, max, name } = flags
    const result = betLimitsView(await createLimitProfile(casino, args.code, { name, game, currency, min, max }))
    this.fields(result)
    return result
  }
}
