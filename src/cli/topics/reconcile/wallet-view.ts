import { countText } from '../../../kit/text/count-text.ts'
import { walletText } from '../../../operator/balances/messages.ts'
import type { WalletResult, WalletRun } from '../../../operator/balances/schema.ts'
import type { CommandContext } from '../../context/context.ts'
import { asColumn, type Column } from '../../terminal/table.ts'
import { printable } from '../../terminal/text.ts'
import { verdictColors } from './verdict-colors.ts'

/** Up to this number of players all are listed; above it only those with findings, and at most `maxListed`. */
const maxListedInFull = 20
const maxListed = 200
/** Maximum number of possible causes per player. */
const maxCauses = 6

/** Prints one row per player, for programs. */
export function printWalletTable(context: CommandContext, { players }: WalletRun): void {
  context.table(players.map(toRow), programColumns, 'No players.')
}

/** Prints the verdict of each player, the figures of each difference, and the next steps. */
export function printBalances(context: CommandContext, { players, next }: WalletRun): void {
  const { paintOut: paint } = context.screen
  const listed = players.length > maxListedInFull ? players.filter(({ verdict }) => verdict !== 'balanced') : players
  for (const each of listed.slice(0, maxListed)) {
    context.log(paint(verdictColors[each.verdict], printable(walletText(each))))
    if (each.verdict !== 'differences') continue
    for (const line of proofLines(each)) context.log(`    ${line}`)
    for (const { message } of each.leads.slice(0, maxCauses)) context.log(`    - ${printable(message)}`)
  }
  if (listed.length > maxListed) context.log(`and ${listed.length - maxListed} more: see --csv or --json`)
  const balancedCount = players.length - listed.length
  if (balancedCount > 0) context.log(`${countText(balancedCount, 'more is', 'more are')} balanced.`)
  if (next.length === 0) return
  context.log()
  context.log(paint('bold', 'Next'))
  for (const [i, step] of next.entries()) context.log(`${i + 1}. ${step}`)
}

function proofLines(result: WalletResult): string[] {
  const { opening, openingHeld, deposits, withdrawals, adjustments, slips, expected, balance, difference, counts } =
    result
  const parts: [string, string | null][] = [
    ['opening', opening],
    ['held at opening', openingHeld === '0' ? null : openingHeld],
    ['deposits', deposits],
    ['withdrawals', withdrawals],
    ['adjustments', adjustments === '0' ? null : adjustments],
    [`slips (${countText(counts.revisions, 'revision')})`, slips],
    ['makes', expected],
    ['platform', balance],
    ['difference', difference],
  ]
  const shown = parts.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]))
  const wide = Math.max(...shown.map(({ name }) => name.length))
  const long = Math.max(...shown.map(({ value }) => value.length))
  return shown.map(({ name, value }) => `${name.padEnd(wide)}  ${value.padStart(long)}`)
}

const amounts = (...keys: string[]): Column[] => keys.map((key) => ({ key, kind: 'amount' }))

const programColumns: Column[] = [
  'player',
  'currency',
  'verdict',
  'since',
  'readAt',
  ...amounts('opening', 'openingHeld', 'deposits', 'withdrawals', 'adjustments', 'slips'),
  ...amounts('expected', 'balance', 'held', 'difference'),
  'breakId',
  'reasons',
].map(asColumn)

const toRow = (result: WalletResult) => ({
  ...result,
  since: result.since?.at ?? '',
  reasons: result.reasons.map(({ code }) => code).join(' '),
})
