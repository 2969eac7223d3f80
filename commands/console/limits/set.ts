import { dryRunFlag, Flags } from '../../../src/cli/flags.ts'
import { tenantArg } from '../../../src/cli/tenant-state.ts'
import { WorldCommand } from '../../../src/cli/world-command.ts'

const whole = (summary: string) => Flags.integer({ summary, min: 1, max: 1_000_000, helpValue: 'N' })

export default class ConsoleLimitsSet extends WorldCommand {
  static override summary = "Set a tenant's limits apart from its plan's, at once"
  static override examples = [
    'countroom console limits set DEMO --rate 500 --burst 1000',
    { command: 'countroom console limits set DEMO --plan', description: "The plan's own limits again" },
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = {
    ...dryRunFlag,
    rate: whole('Requests per second'),
    burst: whole('Requests at once'),
    tables: whole('Enabled tables, on a plan that limits them'),
    players: whole('Player accounts, on a plan that limits them'),
    online: whole('Players online at once, on a plan that limits them'),
    'day-bets': Flags.boolean({
      summary: "Whether the bets of a demo plan stop at the day's figure, and are held to the platform's bet limits",
      allowNo: true,
    }),
    'idle-days': Flags.integer({
      summary: "Days without a Console login or a bet after which a demo plan's tables pause; 0 for never",
      min: 0,
      max: 100_000,
      helpValue: 'N',
    }),
    plan: Flags.boolean({ summary: "Give all of the plan's own limits back first" }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const limit = Type.Union([Type.Integer(), Type.Null()])
    return Type.Object({
      companyCode: Type.String(),
      rate: Type.Integer(),
      burst: Type.Integer(),
      tables: limit,
      players: limit,
      online: limit,
      dayBetsLimited: Type.Boolean(),
      idleDays: limit,
    })
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleLimitsSet)
    const { casino } = await this.world()
    const { setLimits } = await import('../../../src/casino/console.ts')
    const own = {
      rate_per_second: null,
      rate_burst: null,
      tables_quota: null,
      players_limit: null,
      online_limit: null,
      day_bets_limited: null,
      idle_days: null,
    }
    const { companyCode, limits } = await setLimits(casino, args.code, {
      ...(flags.plan ? own : {}),
      ...(flags.rate === undefined ? {} : { rate_per_second: flags.rate }),
      ...(flags.burst === undefined ? {} : { rate_burst: flags.burst }),
      ...(flags.tables === undefined ? {} : { tables_quota: flags.tables }),
      ...(flags.players === undefined ? {} : { players_limit: flags.players }),
      ...(flags.online === undefined ? {} : { online_limit: flags.online }),
      ...(flags['day-bets'] === undefined ? {} : { day_bets_limited: flags['day-bets'] ? 1 : 0 }),
      ...(flags['idle-days'] === undefined ? {} : { idle_days: flags['idle-days'] }),
    })
    const { rate, tables, players, online, isDemo, idleDays } = limits
    const result = {
      companyCode,
      rate: rate.perSecond,
      burst: rate.burst,
      tables,
      players,
      online,
      dayBetsLimited: isDemo,
      idleDays,
    }
    this.fields(result)
    return result
  }
}
