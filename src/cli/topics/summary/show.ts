import { limits } from '../../../domain/account/plan-limits.ts'
import { amountFields } from '../../../domain/reconcile/daily.ts'
import { type Day, dayOf } from '../../../domain/time/day.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText, partText } from '../../../kit/text/count-text.ts'
import { currenciesOf } from '../../../operator/summary/currencies.ts'
import { type CurrencyTotal, type PlayerFigures, totalsByCurrency } from '../../../operator/summary/totals.ts'
import type { Clients } from '../../../world/clients/casino.ts'
import { warnOfClock } from '../../context/clock-warning.ts'
import type { CommandContext } from '../../context/context.ts'
import { rememberNames } from '../../framework/completion.ts'
import { checkDay, dayFrom } from '../../framework/day.ts'
import type { Column } from '../../terminal/table.ts'

interface SummaryFlags {
  readonly 'by-currency': boolean
  readonly csv: boolean
  readonly columns?: string | undefined
}

/** Prints the figures of each player on a day, and their totals. */
export async function showSummary(context: CommandContext, dateText: string, flags: SummaryFlags) {
  checkDay(dateText)
  const clients = await context.services.casino()
  const now = await clients.now()
  const { timezone: zone } = clients.casinoAccess
  const date = dayFrom(dateText, now, zone)
  checkBegun(date, dayOf(now, zone), zone)
  const day = await clients.casino.summary({ query: { date } })
  warnOfClock(context, clients, [dateText])
  const usernames = day.players.map(({ username }) => username)
  rememberNames(context.settings.paths, 'users', usernames)
  const currencies = flags['by-currency'] ? await lookUpCurrencies(context, clients, usernames) : undefined
  const players = day.players.map((player) => ({ ...player, currency: currencies?.get(player.username) ?? null }))
  const totals = totalsByCurrency(players)
  const complete = players.length < limits.summaryPlayers
  printSummary(context, { ...day, players, totals }, flags)
  if (!complete)
    context.warn(
      `The platform lists at most ${limits.summaryPlayers} players. There may be more; the totals cover the listed players only`,
    )
  return { date: day.date, timezone: day.timezone, players, totals, complete }
}

async function lookUpCurrencies(context: CommandContext, { casino }: Clients, usernames: readonly string[]) {
  const progress = context.progress('Looking up currencies', usernames.length)
  let doneCount = 0
  const onProgress = (count: number) => {
    doneCount = count
    progress.update(count)
  }
  return currenciesOf(casino, usernames, { signal: context.stop, onProgress }).finally(() =>
    progress.end(partText(doneCount, usernames.length, 'player')),
  )
}

/** Refuses a day that has not begun: its empty summary would look like a day without bets. */
function checkBegun(date: Day, today: Day, zone: string): void {
  if (date <= today) return
  const message = `${date} has not begun: by the platform's clock today is ${today} (${zone})`
  throw new Problem('INVALID_PARAMETER', message, { remoteCode: null })
}

interface Summary {
  readonly date: string
  readonly timezone: string
  readonly players: readonly PlayerFigures[]
  readonly totals: readonly CurrencyTotal[]
}

function printSummary(
  context: CommandContext,
  { date, timezone, players, totals }: Summary,
  flags: SummaryFlags,
): void {
  const columns: Column[] = [
    { key: 'username' },
    ...(flags['by-currency'] ? [{ key: 'currency' }] : []),
    { key: 'slips', kind: 'count' },
    ...amountFields.map((key): Column => ({ key, kind: 'amount' })),
  ]
  // Programs that read the CSV would count a total row as a player.
  const sumRows = flags.csv || players.length === 0 ? [] : totals.map((total) => ({ ...total, username: 'TOTAL' }))
  context.table([...players, ...sumRows], columns, `No settled bets on ${date} (${timezone}).`)
  if (players.length > 0) context.footnote(`${date}, ${timezone}: ${countText(players.length, 'player')}.`)
}
