import { warnOfClock } from '../../src/cli/context/clock-warning.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { rememberNames } from '../../src/cli/framework/completion.ts'
import { checkDay, dayFrom } from '../../src/cli/framework/day.ts'
import { Args, Flags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import type { Column } from '../../src/cli/terminal/table.ts'
import { limits } from '../../src/domain/account/plan-limits.ts'
import { formatUnits, parseUnits, playerScale, sum } from '../../src/domain/money.ts'
import { isProblem, Problem } from '../../src/kit/problem.ts'
import type { Clients } from '../../src/world/clients/casino.ts'

const amounts = ['stake', 'validStake', 'rolling', 'payout', 'winLoss', 'rake'] as const
type Sums = Record<(typeof amounts)[number], string>

export default class SummaryShow extends CountroomCommand {
  static override summary = 'Show the figures of a day per player, with totals'
  static override description =
    "The day is in the tenant's time zone. Only the latest revision of each slip counts; voided slips add to the number of slips, but not to the stake. winLoss is the player's: positive if the player won. The platform lists at most 1,000 players, without their currencies: totals are sums over all currencies unless you pass --by-currency."
  static override examples = [
    'countroom summary show yesterday',
    { command: 'countroom summary show 2026-03-01 --by-currency', description: 'Show one total per currency' },
    { command: 'countroom summary show 2026-03-01 --csv > day.csv', description: 'Export for a spreadsheet' },
  ]
  static override exits = ['permission', 'temporary'] as const
  static override args = {
    date: Args.string({
      description: "YYYY-MM-DD, today or yesterday, in the tenant's time zone",
      default: 'yesterday',
    }),
  }
  static override flags = {
    'by-currency': Flags.boolean({ summary: 'Look up the currency of every player, and total each currency' }),
    ...listFlags,
  }
  static override data = ({ Type, casino }: Shapes) => {
    const currency = Type.Union([Type.String(), Type.Null()], { description: 'Null without --by-currency.' })
    const sums = Object.fromEntries(amounts.map((name) => [name, Type.String()]))
    return Type.Object({
      date: Type.String(),
      timezone: Type.String(),
      players: Type.Array(Type.Object({ ...casino.SummaryItem.properties, currency })),
      totals: Type.Array(Type.Object({ currency, players: Type.Integer(), slips: Type.Integer(), ...sums })),
      complete: Type.Boolean({ description: 'False if the list may be cut off at 1,000 players.' }),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(SummaryShow)
    checkDay(args.date)
    const clients = await this.services.casino()
    const { timezone: zone } = clients.casinoAccess
    const date = dayFrom(args.date, await clients.now(), zone)
    const day = await clients.casino.summary({ query: { date } })
    warnOfClock(this, clients, [args.date])
    const { paths } = this.settings
    rememberNames(
      paths,
      'users',
      day.players.map(({ username }) => username),
    )
    const currencies = flags['by-currency'] ? await this.#currencies(clients, day.players) : undefined
    const players = day.players.map((player) => ({ ...player, currency: currencies?.get(player.username) ?? null }))
    const totals = totalsOf(players)
    const complete = players.length < limits.summaryPlayers
    this.#tell(day, players, totals, flags)
    if (!complete)
      this.warn(
        `The platform lists at most ${limits.summaryPlayers} players. There may be more; the totals cover the listed players only`,
      )
    return { date: day.date, timezone: day.timezone, players, totals, complete }
  }

  #tell(
    day: { date: string; timezone: string },
    players: readonly Listed[],
    totals: readonly Total[],
    flags: { csv: boolean; 'by-currency': boolean; columns?: string | undefined },
  ): void {
    const columns: Column[] = [
      { key: 'username' },
      ...(flags['by-currency'] ? [{ key: 'currency' }] : []),
      { key: 'slips', kind: 'count' },
      ...amounts.map((key): Column => ({ key, kind: 'amount' })),
    ]
    // Programs that read the CSV would count a total row as a player.
    const sumRows = flags.csv || players.length === 0 ? [] : totals.map((total) => ({ ...total, username: 'TOTAL' }))
    this.table([...players, ...sumRows], columns, `No settled bets on ${day.date} (${day.timezone}).`)
    if (players.length > 0)
      this.footnote(`${day.date}, ${day.timezone}: ${players.length === 1 ? '1 player' : `${players.length} players`}.`)
  }

  /** Reads the currency of each player, one after another: all keys of the tenant share one rate limit. */
  async #currencies({ casino }: Clients, players: readonly { username: string }[]) {
    const found = new Map<string, string>()
    const progress = this.progress('Looking up currencies', players.length)
    try {
      for (const { username } of players) {
        if (this.stop.aborted) throw new Problem('INTERRUPTED', 'Stopped before all currencies were read')
        const player = await casino.player({ query: { username } }).catch((error) => {
          if (isProblem(error, 'PLAYER_NOT_FOUND')) return undefined
          throw error
        })
        if (player) found.set(username, player.currency)
        progress.update(found.size)
      }
    } finally {
      progress.end(`${found.size} of ${players.length}`)
    }
    return found
  }
}

interface Listed extends Sums {
  readonly username: string
  readonly slips: number
  readonly currency: string | null
}

interface Total extends Sums {
  readonly currency: string | null
  readonly players: number
  readonly slips: number
}

function totalsOf(players: readonly Listed[]): Total[] {
  return [...Map.groupBy(players, ({ currency }) => currency)]
    .sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
    .map(([currency, group]) => ({
      currency,
      players: group.length,
      slips: group.reduce((total, { slips }) => total + slips, 0),
      ...sumsOf(group),
    }))
}

function sumsOf(group: readonly Listed[]): Sums {
  const total = (name: keyof Sums) =>
    formatUnits(sum(group.map((player) => parseUnits(player[name], playerScale))), playerScale)
  return {
    stake: total('stake'),
    validStake: total('validStake'),
    rolling: total('rolling'),
    payout: total('payout'),
    winLoss: total('winLoss'),
    rake: total('rake'),
  }
}
