/**
 * One revision of a slip as a CSV line. Columns and bytes are fixed: programs parse the files, and an interrupted file
 * must end up identical to an uninterrupted one. Written by hand because it takes a third of a library's time; a test
 * compares both byte for byte.
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

/** Header of every file. Lines end in a line feed. */
export const betHeader = `${betColumns.join(',')}\n`

/** Returns the CSV line of a record, including the line feed. Missing values are empty cells. */
export function betLine(bet: PulledBet): string {
  return `${bet.recSeq},${text(bet.slipId)},${bet.rev},${bet.status},${text(bet.username)},${text(bet.currency)},${text(bet.tableId)},${text(bet.game)},${text(bet.variant)},${text(bet.roundId)},${text(bet.shoe)},${bet.round},${bet.stake},${bet.hold ?? ''},${bet.validStake},${bet.rolling},${bet.payout},${bet.winLoss},${bet.delta},${bet.rake ?? ''},${bet.onsite ?? ''},${text(bet.resultCode)},${text(bet.cardInfo)},${bet.placedAt},${bet.settledAt},${quoted(bet.bets)},${quoted(bet.result)}\n`
}

/**
 * Usernames may begin with `-` or `@` and are made safe for spreadsheets. Numbers are not, so that losses keep their
 * minus.
 */
function text(value: string): string {
  return quoted(withoutFormula(value))
}

const needsQuotes = /[",\r\n]/

/** Quotes a value when RFC 4180 requires it, and doubles quotes inside. */
function quoted(value: string): string {
  return needsQuotes.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

/** Returns the name of the file with a month's lines. */
export function betFile(month: string): string {
  return `bets-${month.slice(0, 4)}-${month.slice(4)}.csv`
}

/** Returns the month of a file name, or `null` if the name is not one of ours. */
export function monthOfFile(file: string): string | null {
  const parts = /^bets-([0-9]{4})-(0[1-9]|1[0-2])[.]csv$/.exec(file)
  return parts ? `${parts[1]}${parts[2]}` : null
}
