import { dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { WorldCommand } from '../../src/cli/topics/console/command.ts'

const share = (summary: string) => Flags.integer({ summary, min: 0, max: 10_000, default: 0, helpValue: 'N' })

export default class SimPlay extends WorldCommand {
  static override summary = 'Deal whole rounds with betting players, as fast as it can'
  static override description =
    'Every player bets in every round; at Hold’em the nine seats are taken in turn, and at a no-limit table a guest of the studio sits down now and then. With --days the rounds are spread evenly over the past; never before the last bet there is, so no reader of bets is passed over. Players are the first ones of the tenant, and new ones where there are too few; a wallet that runs low is filled.'
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
      summary: 'The tables, or all that are enabled',
      default: 'all',
      helpValue: 'all|ID,…',
    }),
    rounds: Flags.integer({ summary: 'How many rounds', default: 100, min: 1, max: 10_000_000, helpValue: 'N' }),
    players: Flags.integer({ summary: 'How many players bet', default: 4, min: 1, max: 10_000, helpValue: 'N' }),
    days: Flags.integer({ summary: 'Over how many past days', default: 0, min: 0, max: 400, helpValue: 'N' }),
    corrected: share('How many of 10,000 rounds are corrected afterwards'),
    voided: share('How many of 10,000 rounds are voided afterwards'),
    tenant: Flags.string({ summary: 'Whose players bet', helpValue: 'CODE' }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const count = Type.Integer()
    return Type.Object({ tenant: Type.String(), rounds: count, slips: count, corrected: count, voided: count })
  }

  override async run() {
    const { flags } = await this.parse(SimPlay)
    const { casino } = await this.world()
    const tenant = await this.tenantCode(flags.tenant)
    const { play, rehearsePlay } = await import('../../src/services/casino/simulator/index.ts')
    const progress = this.progress('Dealing', flags.rounds * flags.players)
    let played = { rounds: 0, slips: 0, corrected: 0, voided: 0 }
    const tables = flags.tables === 'all' ? [] : flags.tables.split(',').map((id) => id.trim())
    const { rounds, players, days, corrected, voided } = flags
    if (this.isDryRun) {
      await rehearsePlay(casino, { tenant, tables, rounds, players, days, corrected, voided })
      progress.end('would be dealt')
      return { tenant, rounds, slips: rounds * players, corrected: 0, voided: 0 }
    }
    for await (const sofar of play(casino, { tenant, tables, rounds, players, days, corrected, voided })) {
      played = sofar
      progress.update(sofar.slips, `${sofar.rounds} rounds`)
      if (this.stop.aborted) break
    }
    progress.end(`${played.slips} slips in ${played.rounds} rounds`)
    const result = { tenant, ...played }
    this.fields(result)
    return result
  }
}
