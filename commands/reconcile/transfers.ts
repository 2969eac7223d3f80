import { durationOf, momentFrom } from '../../src/cli/arguments/moments.ts'
import { warnOfClock } from '../../src/cli/context/clock-warning.ts'
import { Args, bookFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { outFile, writeOut } from '../../src/cli/terminal/out-file.ts'
import { readBytes } from '../../src/cli/terminal/read-input.ts'
import { printable, utcText } from '../../src/cli/terminal/text.ts'
import { ReconcileCommand, shareFlag } from '../../src/cli/topics/reconcile/command.ts'
import { type LedgerTransfer, transferResults, transferVerdicts } from '../../src/domain/reconcile/transfers.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { ComparedTransfer, TransfersReconciled } from '../../src/operator/reconcile/transfers/reconcile.ts'

const job = 'reconcile transfers'

export default class ReconcileTransfers extends ReconcileCommand {
  static override summary = 'Reconcile your ledger of transfers with the platform and the journal'
  static override description = [
    'The ledger is a CSV file with the columns txnId, username, dir (in, out or adjust), amount, currency and optionally time with its zone; other columns are ignored. Every transfer is looked up by its ID and player, which finds transfers of any age; if that fails, by its ID alone, which finds it with another player.',
    'The result of a transfer is matched, different, missing at the platform or undecided. A transfer that is not found is undecided for --fresh after its time or, without a time, after the first lookup. A transfer of the journal that is not in the ledger is missing in the ledger; this is checked between the first and the last time of the ledger, or --since and --until.',
    'Matched transfers are recorded in the book and not looked up again, so an interrupted run continues and a longer ledger costs only its new rows. Differences are recorded as breaks. If a row with a break is removed from the ledger, the break stays open until "reconcile breaks close".',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile transfers ledger.csv',
    {
      command:
        'countroom reconcile transfers ledger.csv --since 2026-03-01T00:00:00Z --until 2026-04-01T00:00:00Z --csv march.csv',
      description: 'Check a whole month and write one row per transfer',
    },
  ]
  static override exits = ['permission', 'conflict', 'temporary', 'differences', 'inconclusive', 'locked'] as const
  static override files = [
    'the book (COUNTROOM_BOOK): the journal is read; lookups and breaks are recorded',
    '--csv: written atomically; an existing file only with --force',
  ]
  static override completes = { file: 'files', csv: 'files', book: 'files' }
  static override args = {
    file: Args.string({ description: 'CSV file of the ledger, or - for stdin', required: true }),
  }
  static override flags = {
    since: Flags.string({ summary: 'Start of the time that the ledger covers', helpValue: 'ISO' }),
    until: Flags.string({ summary: 'End of the time that the ledger covers', helpValue: 'ISO' }),
    fresh: Flags.string({
      summary: 'Time during which a missing transfer may still be on its way',
      default: '15m',
      helpValue: 'DURATION',
    }),
    recheck: Flags.boolean({ aliases: ['anew'], summary: 'Look up matched transfers again' }),
    csv: Flags.string({ summary: 'CSV file to write, one row per transfer', helpValue: 'FILE' }),
    force: Flags.boolean({ summary: 'Overwrite an existing --csv file' }),
    ...shareFlag,
    ...bookFlag,
  }
  static override data = ({ Type }: Shapes) => {
    const text = Type.Union([Type.String(), Type.Null()])
    const Platform = Type.Object({
      player: Type.String(),
      dir: Type.String(),
      amount: Type.String(),
      at: Type.String(),
    })
    const Transfer = Type.Object({
      txnId: Type.String(),
      result: Type.Enum([...transferResults]),
      line: Type.Union([Type.Integer(), Type.Null()], { description: 'Line number in the ledger.' }),
      player: Type.String(),
      dir: Type.String(),
      amount: Type.String(),
      currency: Type.String(),
      at: text,
      platform: Type.Union([Platform, Type.Null()]),
      differences: Type.Array(Type.Object({ field: Type.String(), ledger: Type.String(), other: Type.String() })),
      message: Type.String(),
    })
    return Type.Object({
      verdict: Type.Enum([...transferVerdicts]),
      counts: Type.Object(Object.fromEntries(transferResults.map((result) => [result, Type.Integer()]))),
      known: Type.Integer({ description: 'Number matched by an earlier run and not looked up again.' }),
      span: Type.Union([Type.Object({ from: Type.String(), to: Type.String() }), Type.Null()], {
        description: 'Time range in which the journal was searched for transfers that the ledger lacks.',
      }),
      transfers: Type.Array(Transfer, { description: 'Transfers that are not matched; --csv has all.' }),
      doubts: Type.Array(Type.String()),
      breaks: Type.Array(Type.String(), { description: 'Open breaks of this run.' }),
      file: text,
    })
  }

  override async run() {
    const { args, flags } = await this.parse(ReconcileTransfers)
    const freshMs = durationOf('fresh', flags.fresh) ?? 0
    const [since, until] = [flags.since, flags.until].map((text) => (text === undefined ? undefined : momentFrom(text)))
    if (since !== undefined && until !== undefined && until < since)
      throw new Problem('INVALID_USAGE', '--until is before --since')
    const file = outFile(flags.csv, flags.force)
    const { ledgerFromCsv } = await import('../../src/operator/reconcile/transfers/ledger-csv.ts')
    const ledger = await ledgerFromCsv(await readBytes(args.file))
    const times = ledger.flatMap(({ at }) => at ?? [])
    durationOf('wait', flags.wait)
    const clients = await this.services.casino()
    const { book, url } = await this.bookToReconcile(clients)
    await this.lockJob(book, url, 'reconcile-transfers', flags.wait)
    const now = await this.platformNow(clients)
    const platform = await this.sharedCasino(clients, flags['rate-share'])
    const from = since ?? times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
    const to =
      until ??
      (since === undefined || times.length > 0
        ? times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
        : now())
    const span = Number.isFinite(from) && Number.isFinite(to) ? { from, to } : null
    const [{ reconcileTransfers, transferBreaks }, { keepFindings }, { bookState }, { realAmbient }] =
      await Promise.all([
        import('../../src/operator/reconcile/transfers/reconcile.ts'),
        import('../../src/operator/reconcile/breaks/record.ts'),
        import('../../src/operator/bets/slips-by-day.ts'),
        import('../../src/kit/ambient.ts'),
      ])
    const { owner } = await book.store.read(bookState)
    const timezone = owner?.timezone ?? 'UTC'
    const progress = this.progress('Looking up transfers', ledger.length)
    let done = 0
    const result = await reconcileTransfers(
      {
        platform,
        book,
        here: Date.now,
        now,
        signal: this.stop,
        onStep: (count) => {
          done = count
          progress.update(count)
        },
      },
      { ledger, span, freshMs, isRecheck: flags.recheck },
    ).finally(() => progress.end(`${done} of ${ledger.length} compared`))
    const looked = new Set(result.transfers.flatMap(({ txnId, result }) => (result === 'undecided' ? [] : [txnId])))
    const covers = ({ subject }: { subject: string }) => looked.has(subject)
    const run = { id: realAmbient().id(), who: job }
    const findings = {
      found: transferBreaks(result.transfers, timezone),
      looked: [{ kind: 'transfers' as const, covers }],
    }
    const { breaks } = await keepFindings(book, run, findings)
    if (file !== null) {
      const { transfersCsv } = await import('../../src/operator/reconcile/transfers/csv.ts')
      writeOut(file, await transfersCsv(result.transfers))
    }
    this.#warnOf(ledger, span)
    warnOfClock(this, clients)
    const unsigned = result.transfers.filter(({ dir, result }) => dir === 'adjust' && result === 'matched').length
    if (unsigned > 0)
      this.warn(
        `The platform does not return the sign of an adjustment: ${unsigned} ${unsigned === 1 ? 'adjustment is' : 'adjustments are'} matched by amount only`,
      )
    return this.#conclude(result, {
      span,
      file,
      open: breaks.flatMap(({ id, state }) => (state === 'open' ? [id] : [])),
    })
  }

  /** Notes the limits of what this ledger can show. */
  #warnOf(ledger: readonly LedgerTransfer[], span: Span | null): void {
    const searched =
      span && `${utcText(new Date(span.from).toISOString())} to ${utcText(new Date(span.to).toISOString())}`
    if (ledger.length === 0) {
      this.warn(
        `The ledger has no rows: nothing was compared${searched === null ? ', and the journal was not searched; set the start with --since' : `; the journal was searched from ${searched}`}`,
      )
      return
    }
    if (span === null) {
      this.warn('The ledger has no times. To search the journal for transfers that the ledger lacks, pass --since')
      return
    }
    const untimed = ledger.filter(({ at }) => at === null).length
    if (untimed > 0)
      this.warn(`${untimed} of ${ledger.length} rows have no time. The journal was searched from ${searched} only`)
  }

  #conclude(
    { verdict, transfers, doubts, known }: TransfersReconciled,
    { span, file, open }: { span: Span | null; file: string | null; open: string[] },
  ) {
    const counted = transferResults.map(
      (result) => [result, transfers.filter((each) => each.result === result).length] as const,
    )
    const told = transfers.filter(({ result }) => result !== 'matched')
    this.log(
      this.screen.paintOut(
        ['bold', colours[verdict]],
        `${transfers.length} ${transfers.length === 1 ? 'transfer' : 'transfers'}: ${counted.flatMap(([result, count]) => (count > 0 ? [`${count} ${words[result]}`] : [])).join(', ') || 'none'}.`,
      ),
    )
    for (const { line, result, message } of told.slice(0, mostTold))
      this.log(`- ${line === null ? '' : `line ${line}, `}${words[result]}: ${printable(message)}`)
    if (told.length > mostTold) this.log(`- and ${told.length - mostTold} more: see --csv or --json`)
    for (const doubt of doubts) this.warn(doubt)
    const counts = Object.fromEntries(counted)
    // A break closed by a person stays in the result but does not count as a difference.
    const isSettled = verdict === 'differences' && open.length === 0
    if (verdict === 'differences' && !isSettled)
      this.endWith('DIFFERENCES', `The ledger and the platform differ: ${summaryOf(counted)}`, { counts, breaks: open })
    else if (counts['undecided'] || doubts.length > 0)
      this.endWith('CANNOT_CONCLUDE', `Some transfers may still be on their way: ${summaryOf(counted)}`, { counts })
    const spanText = span && { from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString() }
    return { verdict, counts, known, span: spanText, transfers: told, doubts, breaks: open, file }
  }
}

interface Span {
  readonly from: number
  readonly to: number
}

const mostTold = 100
const colours = { balanced: 'green', differences: 'red', 'cannot-conclude': 'yellow' } as const
const words = {
  matched: 'matched',
  different: 'different',
  'missing-at-platform': 'missing at the platform',
  'missing-in-ledger': 'missing in the ledger',
  'gone-from-ledger': 'no longer in the ledger',
  undecided: 'undecided',
} as const satisfies Record<ComparedTransfer['result'], string>

const summaryOf = (counted: readonly (readonly [ComparedTransfer['result'], number])[]) =>
  counted
    .flatMap(([result, count]) => (count > 0 && result !== 'matched' ? [`${count} ${words[result]}`] : []))
    .join(', ')
