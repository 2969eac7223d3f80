import { parameterFault, refuseFaults } from '../../src/cli/arguments/validate.ts'
import { warnOfClock } from '../../src/cli/context/clock-warning.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { checkDay, dayFrom } from '../../src/cli/framework/day.ts'
import { Flags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { formatFixed, formatUnits, parseUsd, sum, unitsOf, usdScale } from '../../src/domain/money.ts'
import { dayOf } from '../../src/domain/time/day.ts'

export default class AccountUsage extends CountroomCommand {
  static override summary = 'Show the cost of each day: table-days, streaming and fees'
  static override description =
    'Days are in UTC, and both ends of the range are included. Today is not charged yet; its row shows the usage so far.'
  static override examples = [
    { command: 'countroom account usage', description: 'Show the days of this month' },
    'countroom account usage --from 2026-02-01 --to 2026-02-28',
    'countroom account usage --from yesterday --csv',
  ]
  static override exits = ['permission', 'temporary'] as const
  static override flags = {
    from: Flags.string({ summary: 'First day (default: first day of this month)', helpValue: 'DATE' }),
    to: Flags.string({ summary: 'Last day (default: today)', helpValue: 'DATE' }),
    ...listFlags,
  }
  static override data = ({ Type, casino }: Shapes) =>
    Type.Object({
      from: Type.String(),
      to: Type.String(),
      days: Type.Array(casino.UsageDay),
      totals: Type.Object({
        tableDays: Type.Number(),
        tableFeeUsd: Type.String(),
        streamFeeUsd: Type.String(),
        feeUsd: Type.String(),
      }),
    })

  override async run() {
    const { flags } = await this.parse(AccountUsage)
    for (const day of [flags.from, flags.to]) if (day !== undefined) checkDay(day)
    const clients = await this.services.casino()
    const { casino } = clients
    const at = await clients.now()
    const from = dayFrom(flags.from ?? `${dayOf(at, 'UTC').slice(0, 8)}01`, at, 'UTC')
    const to = dayFrom(flags.to ?? 'today', at, 'UTC')
    refuseFaults([parameterFault('to', to < from, `--to ${to} is before --from ${from}`)])
    const { days } = await casino.usage({ query: { from, to } })
    warnOfClock(this, clients, [...new Set([flags.from ?? 'today', flags.to ?? 'today'])], 'UTC')
    const tableFee = sum(days.map((day) => parseUsd(day.tableFeeUsd)))
    const streamFee = sum(days.map((day) => parseUsd(day.streamFeeUsd)))
    const totals = {
      // These are floats by contract; rounding hides the error of the binary sum.
      tableDays: Math.round(days.reduce((total, day) => total + day.tableDays, 0) * 1e6) / 1e6,
      tableFeeUsd: formatUnits(tableFee, usdScale),
      streamFeeUsd: formatUnits(streamFee, usdScale),
      feeUsd: formatUnits(tableFee + streamFee, usdScale),
    }
    const streamed = sum(days.map((day) => unitsOf(day.streamGb, 3) ?? 0n))
    const rows = days.map((day) => ({ ...day }))
    const sums = { day: 'TOTAL', ...totals, streamGb: formatFixed(streamed, 3, 3), streamSource: '' }
    this.table(
      flags.csv || rows.length === 0 ? rows : [...rows, sums],
      [
        'day',
        { key: 'tableDays', title: 'table-days', kind: 'count' },
        { key: 'tableFeeUsd', title: 'tables USD', kind: 'amount' },
        { key: 'streamGb', title: 'streamed GB', kind: 'amount' },
        { key: 'streamFeeUsd', title: 'streams USD', kind: 'amount' },
        { key: 'streamSource', title: 'source' },
      ],
      'No days in this range.',
    )
    this.footnote(`USD ${totals.feeUsd} from ${from} to ${to} (UTC).`)
    return { from, to, days, totals }
  }
}
