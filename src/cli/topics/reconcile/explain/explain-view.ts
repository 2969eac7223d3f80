import { dayFields } from '../../../../domain/reconcile/daily.ts'
import { minuteText } from '../../../../kit/moment.ts'
import { countText, grouped } from '../../../../kit/text/count-text.ts'
import { walletText } from '../../../../operator/balances/messages.ts'
import type { RestatedSlipView } from '../../../../operator/reconcile/breaks/schema.ts'
import type {
  DayExplained,
  Explained,
  PeriodExplained,
  PlayerExplained,
  SlipExplained,
} from '../../../../operator/reconcile/explain/schema.ts'
import { signed } from '../../../../operator/reconcile/restated.ts'
import type { CommandContext } from '../../../context/context.ts'
import { asColumn, type Column, tableText } from '../../../terminal/table.ts'
import { printable } from '../../../terminal/text.ts'
import { printFinding } from '../settlement-view.ts'
import { periodText } from './period-text.ts'

/** Maximum number of rows of each list on a terminal; --json has all. */
const maxRows = 60
const verdictWords = { balanced: 'balanced', differences: 'differences', 'cannot-conclude': 'inconclusive' }

/** Prints an explanation: the break, the slip, the day, the wallet or the transfer, and the next steps. */
export function printExplained(context: CommandContext, explained: Explained): void {
  const { slip, round, day, wallet, transfer, period, next, breaks } = explained
  if (explained.break) {
    const { id, state, message, reason, owner } = explained.break
    printTitle(
      context,
      `${id}, ${state}${reason === null ? '' : ` (${reason})`}${owner === null ? '' : `, assigned to ${owner}`}`,
    )
    context.log(printable(message))
  }
  if (slip) printSlip(context, slip)
  for (const finding of explained.settlement) printFinding(context, finding)
  if (round) context.log(`Current round at the platform: ${round.status}, revision ${round.rev}.`)
  if (day) printDay(context, day, explained.subject.kind === 'day' || explained.break?.kind === 'daily')
  if (wallet) printWallet(context, wallet)
  if (period) printPeriod(context, period)
  if (transfer)
    printRows(
      context,
      transfer.txnId,
      [
        { side: 'platform', ...(transfer.platform ?? { state: transfer.isLookedUp ? 'not found' : 'not looked up' }) },
        { side: 'journal', ...(transfer.journal ?? { state: 'not found' }) },
      ],
      [
        'side',
        'state',
        'player',
        { key: 'dir', title: 'direction' },
        { key: 'amount', kind: 'amount' },
        'currency',
        'at',
      ],
    )
  printList(
    context,
    'History',
    explained.history.map(
      ({ at, who, what, text }) => `${minuteText(at)}: ${what} by ${who}${text === null ? '' : `: ${text}`}`,
    ),
  )
  if (breaks.length > 0)
    printList(
      context,
      'Breaks of this subject',
      breaks.map(({ id, state, message }) => `${id} (${state}): ${message}`),
    )
  printList(context, 'Next', next)
}

function printSlip(context: CommandContext, slip: SlipExplained): void {
  printTitle(context, `Slip ${slip.slipId}`)
  const { player, currency, game, tableId, roundId, placedAt, date, timezone, wallet } = slip
  context.fields({
    player,
    game: `${game} at ${tableId}`,
    round: roundId,
    placed: placedAt,
    'counts on': `${date} in ${timezone}`,
    'wallet effect': `${wallet} ${currency}`,
  })
  printRows(context, '', slip.revisions, revisionColumns)
  for (const each of slip.revisions)
    if (each.writtenOn !== slip.date)
      context.log(
        `- Revision ${each.rev}, written on ${each.writtenOn}, changed the win/loss of ${slip.date} by ${each.change} ${currency}.`,
      )
  printList(context, 'Contradictions', slip.contradictions)
  printList(context, 'Alarms', slip.alarms)
}

function printDay(context: CommandContext, day: DayExplained, isCompared: boolean): void {
  const { date, timezone, verdict, reconciled } = day
  printTitle(context, isCompared ? `${date} in ${timezone}: ${verdictWords[verdict]}` : `${date} in ${timezone}`)
  if (reconciled)
    context.log(
      `Reconciled first at ${minuteText(reconciled.at)} by run ${reconciled.runId}, last at ${minuteText(reconciled.latestAt)} by run ${reconciled.latestRunId}.`,
    )
  if (day.dayRule !== null && day.dayRule.from !== 'documented') context.log(printable(`${day.dayRule.message}.`))
  if (day.boundary !== null) {
    const columns: Column[] = [
      { key: 'basis', whole: true },
      { key: 'timezone', whole: true },
      { key: 'hours', kind: 'count' },
      { key: 'slips', kind: 'count' },
      { key: 'differing', kind: 'count' },
      { key: 'matches', title: 'match', show: (value) => (value === true ? 'yes' : 'no') },
    ]
    printRows(context, `Day boundary: ${day.boundary.message}`, day.boundary.candidates, columns)
  }
  printList(
    context,
    'Reasons for an inconclusive result',
    day.reasons.map(({ message }) => message),
  )
  printList(
    context,
    'Possible causes',
    day.explanations.map(({ message }) => message),
  )
  for (const player of day.players) printPlayer(context, player)
  for (const { date, since, players } of day.restated)
    printList(
      context,
      `Changed since run ${since.runId} of ${minuteText(since.at)}`,
      players.flatMap((each) => each.slips.map(restatedSlipText(each, date))),
    )
}

function printPeriod(context: CommandContext, period: PeriodExplained): void {
  printRows(context, `Figures of ${period.period}, ${period.player}, ${period.currency}`, period.fields, [
    'field',
    { key: 'before', title: 'at the close', kind: 'amount' },
    { key: 'after', title: 'now', kind: 'amount' },
    { key: 'change', kind: 'amount' },
  ])
  const slips = period.slips.slice(0, maxRows).map(restatedSlipText(period, period.period))
  const more = period.slips.length - slips.length + period.slipsLeftOut
  printList(
    context,
    `${periodText(period)}.`,
    more > 0 ? [...slips, `and ${countText(more, 'more slip')}: see --json`] : slips,
  )
}

const restatedSlipText =
  ({ player, currency }: Pick<PeriodExplained, 'player' | 'currency'>, date: string) =>
  ({ slipId, from, to, change, writtenAt }: RestatedSlipView): string =>
    `${player}: slip ${slipId} of ${date}, revision ${from?.rev ?? 'none'} to ${to.rev} (${to.status}), written ${minuteText(writtenAt)}: win/loss ${signed(change)} ${currency}`

function printPlayer(
  context: CommandContext,
  { player, currency, platform, book, slips, slipsLeftOut }: PlayerExplained,
): void {
  const isCompared = Object.values(book).some((text) => text !== '')
  const figures = dayFields.map((field) => ({ field, platform: platform[field], book: book[field] }))
  if (isCompared)
    printRows(context, `${player}${currency === null ? '' : `, ${currency}`}`, figures, [
      'field',
      { key: 'platform', kind: 'amount' },
      { key: 'book', kind: 'amount' },
    ])
  const listed = slips.slice(0, maxRows - 1).map(slipText)
  const more = slips.length - listed.length + slipsLeftOut
  printList(
    context,
    `Slips of ${player} in the book`,
    more > 0 ? [...listed, `and ${countText(more, 'more slip')}: see --json`] : listed,
  )
}

function printWallet(
  context: CommandContext,
  { proof, isReadingKept, movements, movementsLeftOut }: NonNullable<Explained['wallet']>,
): void {
  context.log(printable(walletText(proof)))
  const { opening, openingHeld, deposits, withdrawals, adjustments, slips, expected, balance, difference } = proof
  context.fields({
    opening,
    'held at opening': openingHeld,
    deposits,
    withdrawals,
    adjustments,
    slips,
    makes: expected,
    platform: balance,
    difference,
  })
  printList(
    context,
    'Possible causes',
    proof.leads.map(({ message }) => message),
  )
  if (!isReadingKept)
    context.log('The previous reading is no longer stored, so the movements since then cannot be listed.')
  const count = movements.length + movementsLeftOut
  const title =
    count > maxRows ? `Movements since then, the newest ${maxRows} of ${grouped(count)}` : 'Movements since then'
  printRows(context, title, movements.slice(-maxRows), [
    { key: 'at', title: 'at (UTC)', whole: true, show: secondText },
    'what',
    { key: 'id', whole: true },
    'rev',
    { key: 'change', kind: 'amount' },
  ])
}

function printTitle(context: CommandContext, text: string): void {
  context.log(context.screen.paintOut('bold', printable(text)))
}

function printList(context: CommandContext, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return
  context.log()
  printTitle(context, title)
  for (const line of lines.slice(0, maxRows)) context.log(`- ${printable(line)}`)
  if (lines.length > maxRows) context.log(`- and ${lines.length - maxRows} more: see --json`)
}

function printRows(
  context: CommandContext,
  title: string,
  rows: readonly object[],
  columns: readonly (Column | string)[],
): void {
  if (rows.length === 0) return
  const { paintOut: paint, tableWidth } = context.screen
  context.log()
  if (title !== '') printTitle(context, title)
  context.log(tableText(rows, columns.map(asColumn), { width: tableWidth(), paint, hasHeader: true }).trimEnd())
}

const secondText = (at: unknown) => (at === null ? '' : String(at).slice(0, 19).replace('T', ' '))

const revisionColumns: Column[] = [
  { key: 'rev', kind: 'count' },
  { key: 'status' },
  { key: 'recSeq', title: 'no.', kind: 'count' },
  { key: 'settledAt', title: 'written (UTC)', whole: true, show: secondText },
  { key: 'payout', kind: 'amount' },
  { key: 'winLoss', kind: 'amount' },
  { key: 'change', kind: 'amount' },
]

/** Shows a slip and its revisions as lines, because an ID column would take a third of the screen. */
function slipText({ slipId, tableId, roundId, date, revisions, contradictions }: SlipExplained): string {
  const lines = revisions.map(
    ({ rev, status, recSeq, month, settledAt, writtenOn, stake, winLoss, change, counts }) =>
      `    revision ${rev}, ${status}, no. ${recSeq} of ${month}, written ${secondText(settledAt)}: stake ${stake}, win/loss ${winLoss}${counts ? '' : ', no longer counts'}${writtenOn === date ? '' : `; it changed ${date} by ${change}`}`,
  )
  return [
    `${slipId} at ${tableId}, round ${roundId}`,
    ...lines,
    ...contradictions.map((text) => `    contradiction: ${text}`),
  ].join('\n')
}
