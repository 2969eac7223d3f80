import { payoutResults } from '../../../../domain/reconcile/payouts.ts'
import { dayOf } from '../../../../domain/time/day.ts'
import { secondText } from '../../../../kit/moment.ts'
import { Problem } from '../../../../kit/problem.ts'
import { countText, partText } from '../../../../kit/text/count-text.ts'
import { payoutFindings } from '../../../../operator/reconcile/payouts/breaks.ts'
import { payoutsCsv } from '../../../../operator/reconcile/payouts/csv.ts'
import { payoutLedgerFromCsv } from '../../../../operator/reconcile/payouts/ledger-csv.ts'
import { type ComparedPayout, reconcilePayouts } from '../../../../operator/reconcile/payouts/reconcile.ts'
import { type ClosedRange, ledgerSpan } from '../../../../operator/reconcile/transfers/ledger-span.ts'
import { durationOf, momentFrom } from '../../../arguments/moments.ts'
import type { CommandContext } from '../../../context/context.ts'
import { writeOut } from '../../../terminal/out-file.ts'
import { readBytes } from '../../../terminal/read-input.ts'
import { printable } from '../../../terminal/text.ts'
import { checkOutputFiles, outputFiles } from '../output-files.ts'
import { recordFindings } from '../record-findings.ts'
import { verdictColors } from '../verdict-colors.ts'

interface PayoutsFlags {
  readonly since: string | undefined
  readonly until: string | undefined
  readonly fresh: string
  readonly csv: string | undefined
  readonly force: boolean
}

/** Reconciles a ledger of payouts with the gateway, writes the file, and records the differences as breaks. */
export async function reconcilePayoutLedger(context: CommandContext, ledgerFile: string, flags: PayoutsFlags) {
  const freshMs = durationOf('fresh', flags.fresh) ?? 0
  const [since, until] = [flags.since, flags.until].map((text) => (text === undefined ? undefined : momentFrom(text)))
  if (since !== undefined && until !== undefined && until < since)
    throw new Problem('INVALID_USAGE', '--until is before --since')
  checkOutputFiles(flags)
  const ledger = await payoutLedgerFromCsv(await readBytes(ledgerFile))
  const book = await context.services.bookIfThere()
  const clients = await context.services.gateway()
  const now = await clients.now()
  const parts = { job: context.words, tenant: context.profile.name, date: dayOf(now, 'UTC') }
  const { csv: file } = outputFiles({ csv: flags.csv, force: flags.force }, parts)
  // An end alone, or rows without times, leave the range open: all payouts are compared then.
  const span =
    since === undefined && until !== undefined ? { from: 0, to: until } : ledgerSpan(ledger, { since, until }, now)
  let read = 0
  const progress = context.progress('Reading payouts')
  const result = await reconcilePayouts(clients.gateway, {
    ledger,
    span,
    freshMs,
    now,
    onRead(count) {
      read = count
      progress.update(count)
    },
  }).finally(() => progress.end(`${read} read`))
  const breaks = book ? await recordFindings(context, book, payoutFindings(result.payouts)) : []
  if (!book) context.warn('There is no book, so differences are not recorded as breaks')
  if (file !== null) writeOut(file, await payoutsCsv(result.payouts))
  warnOfLimits(context, ledger, span)
  return conclude(context, result, { span, file, breaks, hasBook: book !== undefined })
}

function warnOfLimits(
  context: CommandContext,
  ledger: readonly { readonly at: number | null }[],
  span: ClosedRange | null,
) {
  const untimed = ledger.filter(({ at }) => at === null).length
  if (span !== null && untimed > 0 && untimed < ledger.length)
    context.warn(
      `${partText(untimed, ledger.length, 'row has', 'rows have')} no time. Payouts missing in the ledger were searched for from ${secondText(span.from)} to ${secondText(span.to)} only`,
    )
}

interface Ending {
  readonly span: ClosedRange | null
  readonly file: string | null
  readonly breaks: readonly string[]
  readonly hasBook: boolean
}

/** Prints the result, and sets the exit code by the verdict. */
function conclude(
  context: CommandContext,
  { verdict, payouts, listed, doubts }: Awaited<ReturnType<typeof reconcilePayouts>>,
  { span, file, breaks, hasBook }: Ending,
) {
  const counted = payoutResults.map(
    (result) => [result, payouts.filter((each) => each.result === result).length] as const,
  )
  const counts = Object.fromEntries(counted)
  const text = (except?: string) =>
    counted
      .flatMap(([result, count]) => (count > 0 && result !== except ? [`${count} ${resultText[result]}`] : []))
      .join(', ')
  printPayouts(context, verdict, payouts, text() || 'none')
  // A break closed by a person stays in the result but does not count as a difference.
  const isSettled = verdict === 'differences' && hasBook && breaks.length === 0
  if (verdict === 'differences' && !isSettled)
    context.endWith('DIFFERENCES', `The ledger and the gateway differ: ${text('matched')}`, { counts, breaks })
  else if (counts['undecided'])
    context.endWith('CANNOT_CONCLUDE', `Some payouts may still change: ${text('matched')}`, { counts })
  else if (doubts.length > 0) context.endWith('CANNOT_CONCLUDE', `Inconclusive: ${doubts.join('; ')}`)
  const spanText = span && { from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString() }
  const unmatched = payouts.filter(({ result }) => result !== 'matched')
  return { verdict, counts, listed, span: spanText, payouts: unmatched, doubts, breaks: [...breaks], file }
}

const resultText = {
  matched: 'matched',
  different: 'different',
  'missing-at-gateway': 'missing at the gateway',
  'missing-in-ledger': 'missing in the ledger',
  undecided: 'undecided',
} as const satisfies Record<ComparedPayout['result'], string>

/** Maximum number of payouts listed on a terminal; --csv and --json have all. */
const maxListed = 100

function printPayouts(
  context: CommandContext,
  verdict: 'balanced' | 'differences' | 'cannot-conclude',
  payouts: readonly ComparedPayout[],
  counts: string,
): void {
  const title = `${countText(payouts.length, 'payout')}: ${counts}.`
  context.log(context.screen.paintOut(['bold', verdictColors[verdict]], title))
  const listed = payouts.filter(({ result }) => result !== 'matched')
  for (const { line, result, message } of listed.slice(0, maxListed))
    context.log(`- ${line === null ? '' : `line ${line}, `}${resultText[result]}: ${printable(message)}`)
  if (listed.length > maxListed) context.log(`- and ${listed.length - maxListed} more: see --csv or --json`)
}
