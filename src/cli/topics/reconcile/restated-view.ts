import { minuteText } from '../../../kit/moment.ts'
import type { RestatedDay } from '../../../operator/reconcile/breaks/schema.ts'
import { type Restated, signed } from '../../../operator/reconcile/restated.ts'
import type { CommandContext } from '../../context/context.ts'
import type { Column } from '../../terminal/table.ts'

/** Maximum number of slips per player on a terminal; CSV and JSON have all. */
const maxSlips = 20

/** Prints one row per player and day, or per slip. On a terminal the rows of players are followed by their slips. */
export function printRestated(
  context: CommandContext,
  { days, restated }: Restated,
  flags: { readonly per: string; readonly csv: boolean; readonly columns?: string | undefined },
): void {
  const none = days === 0 ? 'No day was checked.' : 'No restated days.'
  const isForPrograms = flags.csv || flags.columns !== undefined
  if (flags.per === 'slip') {
    context.table(restated.flatMap(slipRows), slipColumns(isForPrograms), none)
    return
  }
  context.table(restated.flatMap(playerRows), playerColumns(isForPrograms), none)
  if (!isForPrograms) for (const day of restated) printSlips(context, day)
}

function printSlips(context: CommandContext, { date, since, players }: RestatedDay): void {
  context.log()
  context.log(`${date}, reconciled ${minuteText(since.at)} by run ${since.runId}:`)
  for (const { player, slips } of players)
    for (const { slipId, from, to, writtenAt } of slips.slice(0, maxSlips))
      context.log(
        `- ${slipId} of ${player}: revision ${to.rev} (${to.status}) written ${minuteText(writtenAt)}, win/loss ${from?.winLoss ?? 'none'} to ${to.winLoss}`,
      )
}

const dayColumns: readonly Column[] = [
  { key: 'date', whole: true },
  { key: 'player' },
  { key: 'currency', title: 'cur' },
]

const changeColumn: Column = { key: 'change', kind: 'amount', show: (text) => signed(String(text)) }

const slipColumns = (isForPrograms: boolean): Column[] => [
  ...dayColumns,
  { key: 'slipId', whole: true },
  { key: 'revisions', title: 'rev' },
  { key: 'status' },
  { key: 'was', title: 'win/loss was', kind: 'amount' },
  { key: 'is', title: 'is', kind: 'amount' },
  changeColumn,
  ...(isForPrograms ? ['writtenAt', 'roundId', 'tableId', 'game', 'breakId'].map((key) => ({ key })) : []),
]

const playerColumns = (isForPrograms: boolean): Column[] => [
  ...dayColumns,
  { key: 'slips', kind: 'count' },
  { key: 'was', title: 'win/loss was', kind: 'amount' },
  { key: 'is', kind: 'amount' },
  changeColumn,
  ...(isForPrograms ? ['since', 'breakId', 'slipIds'].map((key) => ({ key })) : [{ key: 'others', title: 'also' }]),
]

const playerRows = ({ date, breakId, since, players }: RestatedDay) =>
  players.map(({ player, currency, fields, winLoss, slips }) => {
    const winLossField = fields.find(({ field }) => field === 'winLoss')
    return {
      date,
      player,
      currency,
      slips: slips.length,
      was: winLossField?.before ?? '',
      is: winLossField?.after ?? '',
      change: winLoss,
      others: fields.flatMap(({ field }) => (field === 'winLoss' ? [] : [field])).join(' '),
      since: since.runId,
      breakId,
      slipIds: slips.map(({ slipId }) => slipId).join(' '),
    }
  })

const slipRows = ({ date, breakId, players }: RestatedDay) =>
  players.flatMap(({ player, currency, slips }) =>
    slips.map(({ slipId, from, to, change, writtenAt, roundId, tableId, game }) => ({
      date,
      player,
      currency,
      slipId,
      revisions: `${from?.rev ?? '-'} to ${to.rev}`,
      status: to.status,
      was: from?.winLoss ?? '0',
      is: to.winLoss,
      change,
      writtenAt,
      roundId,
      tableId,
      game,
      breakId,
    })),
  )
