import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import type { Column } from '../../../src/cli/terminal/table.ts'
import { tenantArg } from '../../../src/cli/topics/console/tenant-fields.ts'
import { Problem } from '../../../src/kit/problem.ts'

const whole = (summary: string) => Flags.integer({ summary, min: 1, max: 1_000_000, helpValue: 'N' })

/** Removes a tenant's own limits, so that those of its plan apply. */
const planLimits = {
  rate_per_second: null,
  rate_burst: null,
  tables_quota: null,
  players_limit: null,
  online_limit: null,
  viewers_limit: null,
  view_minutes: null,
  day_bets_limited: null,
  idle_days: null,
}

const count = (key: string) => ({ key, show: (value: unknown) => (value === null ? 'no limit' : String(value)) })

const columns: readonly (string | Column)[] = [
  'companyCode',
  'rate',
  'burst',
  count('tables'),
  count('players'),
  count('online'),
  count('viewers'),
  count('viewMinutes'),
  'dayBetsLimited',
  count('idleDays'),
]

export default class ConsoleLimitsSet extends CountroomCommand {
  static override summary = 'Override the plan limits of a tenant'
  static override examples = [
    'countroom console limits set DEMO --rate 500 --burst 1000',
    { command: 'countroom console limits set DEMO --plan', description: 'Restore the limits of the plan' },
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = {
    ...dryRunFlag,
    rate: whole('Maximum number of requests per second'),
    burst: whole('Maximum number of requests in a burst'),
    tables: whole('Maximum number of enabled tables, on a plan with this limit'),
    players: whole('Maximum number of player accounts, on a plan with this limit'),
    online: whole('Maximum number of players online at the same time, on a plan with this limit'),
    viewers: whole('Maximum number of concurrent viewers of dealt tables, on a plan with this limit'),
    'view-minutes': Flags.integer({
      summary:
        'Maximum minutes a player may watch dealt tables without a break, on a plan with this limit; 0 for no limit',
      min: 0,
      max: 1_000_000,
      helpValue: 'N',
    }),
    'day-bets': Flags.boolean({
      summary: 'Apply the daily bet limit of a demo plan and the bet limits of the platform',
      allowNo: true,
    }),
    'idle-days': Flags.integer({
      summary: 'Days without a Console login or a bet before the tables of a demo plan pause; 0 for never',
      min: 0,
      max: 100_000,
      helpValue: 'N',
    }),
    plan: Flags.boolean({ summary: 'Restore all limits of the plan first' }),
  }
  static override data = ({ Type }: Shapes) => {
    const limit = Type.Union([Type.Integer(), Type.Null()])
    return Type.Object({
      companyCode: Type.String(),
      rate: Type.Integer(),
      burst: Type.Integer(),
      tables: limit,
      players: limit,
      online: limit,
      viewers: limit,
      viewMinutes: limit,
      dayBetsLimited: Type.Boolean(),
      idleDays: limit,
    })
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleLimitsSet)
    const { plan, rate, burst, tables, players, online, viewers } = flags
    const { 'view-minutes': viewMinutes, 'day-bets': dayBets, 'idle-days': idleDays } = flags
    const values = [rate, burst, tables, players, online, viewers, viewMinutes, dayBets, idleDays]
    if (!plan && values.every((each) => each === undefined))
      throw new Problem(
        'INVALID_USAGE',
        'Nothing to set: pass --rate, --burst, --tables, --players, --online, --viewers, --view-minutes, --[no-]day-bets, --idle-days or --plan',
      )
    const { casino } = await this.services.world()
    const { setLimits } = await import('../../../src/services/casino/admin/index.ts')
    const { companyCode, limits } = await setLimits(casino, args.code, {
      ...(plan ? planLimits : {}),
      ...(rate === undefined ? {} : { rate_per_second: rate }),
      ...(burst === undefined ? {} : { rate_burst: burst }),
      ...(tables === undefined ? {} : { tables_quota: tables }),
      ...(players === undefined ? {} : { players_limit: players }),
      ...(online === undefined ? {} : { online_limit: online }),
      ...(viewers === undefined ? {} : { viewers_limit: viewers }),
      ...(viewMinutes === undefined ? {} : { view_minutes: viewMinutes }),
      ...(dayBets === undefined ? {} : { day_bets_limited: dayBets ? 1 : 0 }),
      ...(idleDays === undefined ? {} : { idle_days: idleDays }),
    })
    const result = {
      companyCode,
      rate: limits.rate.perSecond,
      burst: limits.rate.burst,
      tables: limits.tables,
      players: limits.players,
      online: limits.online,
      viewers: limits.viewers,
      viewMinutes: limits.viewMinutes,
      dayBetsLimited: limits.isDemo,
      idleDays: limits.idleDays,
    }
    this.fields(result, columns)
    return result
  }
}
