import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { tenantCode } from '../../src/cli/topics/console/tenant-code.ts'
import { withEnableHint } from '../../src/cli/topics/sim/not-enabled.ts'
import { countText } from '../../src/kit/text/count-text.ts'

const share = (summary: string) => Flags.integer({ summary, min: 0, max: 10_000, default: 0, helpValue: 'N' })

export default class SimPlay extends CountroomCommand {
  static override summary = 'Deal rounds with betting players, as fast as possible'
  static override description =
    "Every player bets in every round. At a Hold'em table up to 9 players sit in a hand, and they rotate; at a no-limit table a simulated studio guest sometimes joins. With --days the rounds are spread evenly over the past, but never before the newest bet, so that no cursor reader misses one. Existing players of the tenant are used first, and new ones are created if needed. Low balances are topped up."
  static override examples = [
    'countroom sim play --rounds 200 --players 4',
    'countroom sim play --rounds 2500 --players 40 --days 60 --corrected 30 --voided 20',
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override completes = { tables: 'tables' }
  static override flags = {
    ...dryRunFlag,
    tables: Flags.string({
      summary: 'Table IDs, or all enabled tables',
      default: 'all',
      helpValue: 'all|ID,…',
    }),
    rounds: Flags.integer({ summary: 'Number of rounds', default: 100, min: 1, max: 10_000_000, helpValue: 'N' }),
    players: Flags.integer({ summary: 'Number of players', default: 4, min: 1, max: 10_000, helpValue: 'N' }),
    days: Flags.integer({
      summary: 'Number of past days to spread the rounds over',
      default: 0,
      min: 0,
      max: 400,
      helpValue: 'N',
    }),
    corrected: share('Number of rounds per 10,000 to correct afterwards'),
    voided: share('Number of rounds per 10,000 to void afterwards'),
    tenant: Flags.string({
      summary: 'Company code of the tenant (default: the one of the profile)',
      helpValue: 'CODE',
    }),
  }
  static override data = ({ Type }: Shapes) => {
    const count = Type.Integer()
    return Type.Object({ tenant: Type.String(), rounds: count, slips: count, corrected: count, voided: count })
  }

  override async run() {
    const { flags } = await this.parse(SimPlay)
    const { casino } = await this.services.world()
    const tenant = await tenantCode(this, flags.tenant)
    const { play, rehearsePlay } = await import('../../src/services/casino/simulator/index.ts')
    const progress = this.progress('Dealing', flags.rounds * flags.players)
    let played = { rounds: 0, slips: 0, corrected: 0, voided: 0 }
    const tables = flags.tables === 'all' ? [] : flags.tables.split(',').map((id) => id.trim())
    const { rounds, players, days, corrected, voided } = flags
    const options = { tenant, tables, rounds, players, days, corrected, voided }
    if (this.isDryRun) {
      await withEnableHint(this, tenant, () => rehearsePlay(casino, options))
      progress.end('would be dealt')
      return { tenant, rounds, slips: rounds * players, corrected: 0, voided: 0 }
    }
    await withEnableHint(this, tenant, async () => {
      for await (const totals of play(casino, options)) {
        played = totals
        progress.update(totals.slips, countText(totals.rounds, 'round'))
        if (this.stop.aborted) break
      }
    })
    progress.end(`${countText(played.slips, 'slip')} in ${countText(played.rounds, 'round')}`)
    const result = { tenant, ...played }
    this.fields(result)
    return result
  }
}
