import { type LedgerTransfer, transferResults } from '../../../domain/reconcile/transfers.ts'
import { minuteText } from '../../../kit/moment.ts'
import { countText, partText } from '../../../kit/text/count-text.ts'
import type { ClosedRange } from '../../../operator/reconcile/transfers/ledger-span.ts'
import type { ComparedTransfer, TransfersReconciled } from '../../../operator/reconcile/transfers/reconcile.ts'
import type { CommandContext } from '../../context/context.ts'
import { printable } from '../../terminal/text.ts'
import { verdictColors } from './verdict-colors.ts'

/** Maximum number of transfers listed on a terminal; --csv and --json have all. */
const maxListed = 100

const resultText = {
  matched: 'matched',
  different: 'different',
  'missing-at-platform': 'missing at the platform',
  'missing-in-ledger': 'missing in the ledger',
  'gone-from-ledger': 'no longer in the ledger',
  undecided: 'undecided',
} as const satisfies Record<ComparedTransfer['result'], string>

/** Counts the transfers by result. `text` lists the counts of those that are not matched. */
export function countResults(transfers: readonly ComparedTransfer[]): { counts: Record<string, number>; text: string } {
  const counted = countedResults(transfers)
  return { counts: Object.fromEntries(counted), text: countsText(counted.filter(([result]) => result !== 'matched')) }
}

const countedResults = (transfers: readonly ComparedTransfer[]) =>
  transferResults.map((result) => [result, transfers.filter((each) => each.result === result).length] as const)

const countsText = (counted: ReturnType<typeof countedResults>) =>
  counted.flatMap(([result, count]) => (count > 0 ? [`${count} ${resultText[result]}`] : [])).join(', ')

/** Prints the counts, and the transfers that are not matched. */
export function printTransfers(
  context: CommandContext,
  verdict: TransfersReconciled['verdict'],
  transfers: readonly ComparedTransfer[],
): void {
  const counts = countsText(countedResults(transfers)) || 'none'
  context.log(
    context.screen.paintOut(['bold', verdictColors[verdict]], `${countText(transfers.length, 'transfer')}: ${counts}.`),
  )
  const listed = transfers.filter(({ result }) => result !== 'matched')
  for (const { line, result, message } of listed.slice(0, maxListed))
    context.log(`- ${line === null ? '' : `line ${line}, `}${resultText[result]}: ${printable(message)}`)
  if (listed.length > maxListed) context.log(`- and ${listed.length - maxListed} more: see --csv or --json`)
}

/** Warns of what this ledger cannot show: a ledger without rows, or rows without times. */
export function warnOfLimits(
  context: CommandContext,
  ledger: readonly Pick<LedgerTransfer, 'at'>[],
  span: ClosedRange | null,
): void {
  const searched = span && `${minuteText(span.from)} to ${minuteText(span.to)}`
  if (ledger.length === 0) {
    if (searched !== null)
      context.warn(`The ledger has no rows: nothing was compared; the journal was searched from ${searched}`)
    return
  }
  if (span === null) {
    context.warn('The ledger has no times. To search the journal for transfers missing in the ledger, pass --since')
    return
  }
  const untimed = ledger.filter(({ at }) => at === null).length
  if (untimed > 0)
    context.warn(
      `${partText(untimed, ledger.length, 'row has', 'rows have')} no time. The journal was searched from ${searched} only`,
    )
}
