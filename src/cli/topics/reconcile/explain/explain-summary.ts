import { ageText } from '../../../../domain/reconcile/breaks.ts'
import { minuteText } from '../../../../kit/moment.ts'
import { quoted } from '../../../../kit/shell-quote.ts'
import { countText } from '../../../../kit/text/count-text.ts'
import { walletText } from '../../../../operator/balances/messages.ts'
import { findingNames } from '../../../../operator/reconcile/daily/messages.ts'
import type { ConcernedSlip } from '../../../../operator/reconcile/daily/schema.ts'
import type { Explained } from '../../../../operator/reconcile/explain/schema.ts'
import { signed } from '../../../../operator/reconcile/restated.ts'
import type { CommandContext } from '../../../context/context.ts'
import { printable } from '../../../terminal/text.ts'
import { periodText } from './period-text.ts'

/** Number of causes, slips, versions of a slip, and steps on one screen of 80 columns and 24 lines. */
const most = { causes: 2, slips: 3, versions: 3, steps: 2 }

/** Lines that a sentence may take on the screen. */
const sentenceLines = 2

const verdictWords = { balanced: 'balanced', differences: 'differences', 'cannot-conclude': 'inconclusive' }

/** Prints what decides about a difference on one screen: cause, slips with both versions, next command. The rest is counted. */
export function printSummary(context: CommandContext, explained: Explained): void {
  const { screen } = context
  const rest: string[] = []
  const line = (text: string) => {
    const room = Math.max(40, screen.width()) * sentenceLines - 1
    const safe = printable(text).replaceAll('\n', ' ')
    // A command that is cut off cannot be pasted.
    const isCut = safe.length > room && !safe.includes('countroom ')
    context.log(isCut ? `${safe.slice(0, room - 1)}…` : safe)
  }
  const section = (title: string, lines: readonly string[], limit: number, unit: string) => {
    if (lines.length === 0) return
    context.log(screen.paintOut('bold', title))
    for (const each of lines.slice(0, limit)) for (const part of each.split('\n')) line(part)
    if (lines.length > limit) rest.push(countText(lines.length - limit, `more ${unit}`))
  }
  context.log(screen.paintOut('bold', printable(titleOf(explained))))
  if (explained.break) line(explained.break.message)
  const rule = explained.day?.dayRule
  if (rule && rule.from !== 'documented') line(`${rule.message}.`)
  section('Cause', causesOf(explained), most.causes, 'cause')
  section('Slips concerned', slipsOf(explained), most.slips, 'slip')
  section('Wallet', walletOf(explained), 1, 'line')
  section('Transfer', transferOf(explained), 2, 'line')
  section(
    'Next',
    explained.next.map((step) => `- ${step}`),
    most.steps,
    'step',
  )
  rest.push(...partsOf(explained))
  if (rest.length > 0)
    context.footnote(
      `Not shown: ${rest.join(', ')}. To see all: countroom reconcile explain ${commandSubject(explained)} --all`,
    )
}

function commandSubject({ subject: { name, player } }: Explained): string {
  return player === null ? name : `${name} --player ${quoted(player)}`
}

function titleOf({ subject, break: found, slip, day }: Explained): string {
  if (found) {
    const { id, state, reason, owner, ageMs } = found
    const age = ageMs === null ? '' : ` for ${ageText(ageMs)}`
    return `${id}: ${state}${age}${reason === null ? '' : ` (${reason})`}${owner === null ? '' : `, assigned to ${owner}`}`
  }
  if (slip) return `Slip ${slip.slipId} of ${slip.player}, ${slip.game} at ${slip.tableId}, counts on ${slip.date}`
  const who = subject.player === null ? '' : `, ${subject.player}`
  return day ? `${day.date} in ${day.timezone}${who}: ${verdictWords[day.verdict]}` : subject.name
}

function causesOf({ day, slip, round, wallet, settlement, period, break: found, missing }: Explained): string[] {
  const causes = [
    ...(day?.explanations ?? []).map(({ message }) => message),
    ...(day?.reasons ?? []).map(({ message }) => message),
    ...(slip?.contradictions ?? []),
    ...(slip?.alarms ?? []),
    ...(wallet?.proof.leads ?? []).map(({ message }) => message),
    ...settlement.map(({ message }) => message),
    ...(period === null ? [] : [periodText(period)]),
    ...(day?.restated ?? []).map(
      ({ since, players }) =>
        `${countText(players.length, 'player')} changed since run ${since.runId} of ${minuteText(since.at)}`,
    ),
  ]
  const latest = slip?.revisions.at(-1)?.rev ?? 0
  if (round && slip && round.rev > latest)
    causes.push(`The platform has revision ${round.rev} of the round; the book has ${latest}`)
  if (causes.length > 0) return causes.map((cause) => `- ${cause}`)
  const isDifferent = found?.state === 'open' || day?.verdict === 'differences'
  if (!isDifferent) return []
  return [
    missing.length > 0 ? '- Unknown: a part could not be read' : '- No cause was found in the records of both sides',
  ]
}

/** Both versions of each slip: platform and book, or before and after. */
function slipsOf({ day, slip, settlement, period }: Explained): string[] {
  const players = [...(day?.restated ?? []).flatMap((each) => each.players), ...(period === null ? [] : [period])]
  const restated = players.flatMap(({ player, currency, slips }) =>
    slips.map(({ slipId, from, to, change }) => {
      const before = from === null ? 'no revision before' : `revision ${from.rev} (${from.status}) ${from.winLoss}`
      return `- ${slipId} of ${player}: ${signed(change)} ${currency}\n    ${before}; now revision ${to.rev} (${to.status}) ${to.winLoss}`
    }),
  )
  const judged = settlement.map(
    ({ slipId, rev, fields }) =>
      `- ${slipId} revision ${rev}\n    ${fields.map(({ field, platform, rules }) => `${field} ${platform} at the platform, ${rules} by the rules`).join('; ')}`,
  )
  const revisions = (slip?.revisions ?? []).map(
    ({ rev, status, settledAt, stake, payout, winLoss, counts }) =>
      `- revision ${rev}, ${status}, ${minuteText(settledAt)}: stake ${stake}, payout ${payout}, win/loss ${winLoss}${counts ? '' : ', no longer counts'}`,
  )
  return [...(day?.concerned ?? []).map(concernedText), ...restated, ...judged, ...(judged.length > 0 ? [] : revisions)]
}

function concernedText({ slipId, rev, player, finding, fields, note }: ConcernedSlip): string {
  const versions = fields
    .slice(0, most.versions)
    .map(
      ({ field, platform, book }) =>
        `${field} ${platform ?? 'no record'} at the platform, ${book ?? 'no record'} in the book`,
    )
  const more = fields.length > most.versions ? [`and ${fields.length - most.versions} more fields`] : []
  const detail = fields.length > 0 ? [...versions, ...more].join('; ') : (note ?? '')
  return `- ${slipId} revision ${rev} of ${player}: ${findingNames[finding]}${detail === '' ? '' : `\n    ${detail}`}`
}

const walletOf = ({ wallet }: Explained): string[] => (wallet === null ? [] : [walletText(wallet.proof)])

function transferOf({ transfer }: Explained): string[] {
  if (transfer === null) return []
  const side = (name: string, of: typeof transfer.platform, absent = 'not found') =>
    of === null
      ? `- ${name}: ${absent}`
      : `- ${name}: ${of.state}, ${of.dir} ${of.amount} ${of.currency ?? ''} of ${of.player}, ${minuteText(of.at)}`
  return [
    side('platform', transfer.platform, transfer.isLookedUp ? undefined : 'not looked up'),
    side('journal', transfer.journal),
  ]
}

/** Parts that this screen does not have, as far as there are any. */
function partsOf({ day, wallet, period, breaks, history }: Explained): string[] {
  const slips = (day?.players ?? []).reduce((sum, each) => sum + each.slips.length + each.slipsLeftOut, 0)
  const moves = wallet === null ? 0 : wallet.movements.length + wallet.movementsLeftOut
  return [
    ...((day?.players.length ?? 0) > 0 ? ['the figures by field'] : []),
    ...(period !== null && period.fields.length > 0 ? ['the figures at the close and now'] : []),
    ...(slips > 0 ? [`${countText(slips, 'slip')} of the book`] : []),
    ...(day?.boundary ? ['the day by other rules'] : []),
    ...(moves > 0 ? [countText(moves, 'movement')] : []),
    ...(breaks.length > 0 ? [`${countText(breaks.length, 'break')} of this subject`] : []),
    ...(history.length > 1 ? ['the history'] : []),
  ]
}
