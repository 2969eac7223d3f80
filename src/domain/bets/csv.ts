/**
 * One revision of a slip as a line of CSV. The columns and their order are a promise to whoever reads the files; so is
 * every byte of a line, because a file that was interrupted must end up as one that was not.
 *
 * Our own writer and not a library's: with twenty-seven columns known in advance it takes a third of the time, and a
 * night's work is made of little else. A test holds it to the library's output, byte for byte.
 */
import { withoutFormula } from '../spreadsheet-formula.ts'
import type { PulledBet } from './record.ts'

export const betColumns = [
  'recSeq',
  'slipId',
  'rev',
  'status',
  'username',
  'currency',
  'tableId',
  'game',
  'variant',
  'roundId',
  'shoe',
  'round',
  'stake',
  'hold',
  'validStake',
  'rolling',
  'payout',
  'winLoss',
  'delta',
  'rake',
  'onsite',
  'resultCode',
  'cardInfo',
  'placedAt',
  'settledAt',
  'bets',
  'result',
] as const

/** The first line of every file. Lines end in a line feed alone. */
export const betHeader = `${betColumns.join(',')}\n`

/** The line of one record, its line feed included. What the record does not have is an empty cell. */
export function betLine(bet: PulledBet): string {
  return `${bet.recSeq},${text(bet.slipId)},${bet.rev},${bet.status},${text(bet.username)},${text(bet.currency)},${text(bet.tableId)},${text(bet.game)},${text(bet.variant)},${text(bet.roundId)},${text(bet.shoe)},${bet.round},${bet.stake},${bet.hold ?? ''},${bet.validStake},${bet.rolling},${bet.payout},${bet.winLoss},${bet.delta},${bet.rake ?? ''},${bet.onsite ?? ''},${text(bet.resultCode)},${text(bet.cardInfo)},${bet.placedAt},${bet.settledAt},${quoted(bet.bets)},${quoted(bet.result)}\n`
}

/** Usernames may begin with `-` or `@`. Numbers are not made safe, so that losses keep their minus. */
function text(value: string): string {
  return quoted(withoutFormula(value))
}

const needsQuotes = /[",\r\n]/

/** RFC 4180: in quotes where it must be, quotes inside doubled. */
function quoted(value: string): string {
  return needsQuotes.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

/** The file a month's lines are in. */
export function betFile(month: string): string {
  return `bets-${month.slice(0, 4)}-${month.slice(4)}.csv`
}

/** The month whose lines a file of that name holds, or `null` when it is none of ours. */
export function monthOfFile(file: string): string | null {
  const parts = /^bets-([0-9]{4})-(0[1-9]|1[0-2])[.]csv$/.exec(file)
  return parts ? `${parts[1]}${parts[2]}` : null
}
