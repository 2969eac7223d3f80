import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { tableArg } from '../../../src/cli/topics/console/table-status.ts'
import { gameNames, type TableSettings } from '../../../src/domain/games/game.ts'

export default class ConsoleTablesCreate extends CountroomCommand {
  static override summary = 'Create a table that belongs to a tenant'
  static override description =
    'Only the owner sees the table until it is shared ("console tables share") and the platform approves the share ("console tables approve"). The table is in the environment of the tenant.'
  static override examples = [
    'countroom console tables create ACME ACME-01 --game baccarat --variant classic --name "Acme 1"',
    'countroom console tables create DEMO-SBX TEST-NN --game niuniu --special-hands --bet-seconds 10',
    'countroom console tables create DEMO-SBX TEST-N5 --game niuniu --commission 0.05',
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = {
    code: Args.string({ required: true, description: 'Company code of the owner' }),
    ...tableArg,
  }
  static override flags = {
    ...dryRunFlag,
    game: Flags.string({ summary: 'Game', required: true, options: [...gameNames] }),
    variant: Flags.string({
      summary: "Variant (repeatable; default: the game's first variant)",
      multiple: true,
      helpValue: 'V',
    }),
    name: Flags.string({ summary: 'English name (default: the table ID)', helpValue: 'TEXT' }),
    provider: Flags.string({
      summary: 'Provider name that other tenants see (default: the company code)',
      helpValue: 'TEXT',
    }),
    'bet-seconds': Flags.integer({ summary: 'Betting time in seconds', min: 1, max: 600, default: 20, helpValue: 'N' }),
    'side-bets': Flags.boolean({ summary: 'Dragon tiger: offer big, small, odd and even' }),
    'special-hands': Flags.boolean({ summary: 'Niu Niu: rank special hands above Niu Niu' }),
    commission: Flags.string({
      summary: 'Niu Niu: share of each win kept by the house, from 0 to below 1',
      helpValue: 'RATE',
    }),
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      tableId: Type.String(),
      environment: Type.String(),
      owner: Type.String(),
      game: Type.String(),
      variants: Type.Array(Type.String()),
      commission: Type.Union([Type.String(), Type.Null()], {
        description: 'Niu Niu: share of each win kept by the house. Null for other games.',
      }),
    })

  override async run() {
    const { args, flags } = await this.parse(ConsoleTablesCreate)
    const { casino } = await this.services.world()
    const { createTable } = await import('../../../src/services/casino/admin/index.ts')
    const table = await createTable(casino, args.code, {
      tableId: args.table,
      game: flags.game,
      variants: flags.variant ?? [],
      betSeconds: flags['bet-seconds'],
      ...(flags.name === undefined ? {} : { name: flags.name }),
      ...(flags.provider === undefined ? {} : { provider: flags.provider }),
      settings: {
        ...(flags['side-bets'] ? { sideBets: true } : {}),
        ...(flags['special-hands'] ? { specialHands: true } : {}),
        ...(flags.commission === undefined ? {} : { commission: flags.commission }),
      },
    })
    const variants: string[] = JSON.parse(table.variants)
    const settings: TableSettings = JSON.parse(table.settings)
    const { table_id: tableId, environment, game } = table
    const commission = game === 'niuniu' ? (settings.commission ?? '0') : null
    const result = { tableId, environment, owner: table.owner ?? args.code, game, variants, commission }
    const shown = { ...result, variants: variants.join(', ') }
    this.fields(shown, [
      'tableId',
      'environment',
      'owner',
      'game',
      'variants',
      ...(commission === null ? [] : (['commission'] as const)),
    ])
    return result
  }
}
