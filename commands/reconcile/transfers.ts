import { momentFrom } from '../../src/cli/arguments/moments.ts'
import { Args, Flags } from '../../src/cli/framework/flags.ts'
import { outFile, writeOut } from '../../src/cli/terminal/out-file.ts'
import { readBytes } from '../../src/cli/terminal/read-input.ts'
import { printable } from '../../src/cli/terminal/text.ts'
import { durationOf } from '../../src/cli/topics/reconcile/book-command.ts'
import { ReconcileCommand, shareFlag } from '../../src/cli/topics/reconcile/command.ts'
import { bookFlag } from '../../src/cli/topics/wallet/transfer-command.ts'
import { type LedgerTransfer, transferResults, transferVerdicts } from '../../src/domain/reconcile/transfers.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { ComparedTransfer, TransfersReconciled } from '../../src/operator/reconcile/transfers/reconcile.ts'

const job = 'reconcile transfers'

export default class ReconcileTransfers extends ReconcileCommand {
  static override summary = "Hold your own ledger of transfers against the platform and this book's journal"
  static override description = [
    'The ledger is a CSV file with the columns txnId, username, dir (in, out or adjust), amount, currency and, where it is known, time with its zone; other columns are left alone. Every transfer is looked up by its id and player, so that one of any age is found, and where it is not found, by its id alone, which finds it with another player.',
    'Each is matched, different (in player, direction, amount or currency, or against our own journal), missing at the platform, or undecided: one that is not found may be still under way for --fresh after it was made, or, where the ledger has no times, after it was first asked about. What our journal has of the ledger’s time and the ledger does not is missing in the ledger; the time is from the first transfer to the last, or --since and --until.',
    'What was matched is noted in the book and not asked about again, so a run that was broken off goes on, and next month’s longer ledger costs only what is new. Differences are noted as breaks. The break of a row that is no longer in a ledger which covers its time stays open, and is told, until "reconcile breaks close" says why.',
  ].join('\n\n')
  static override examples = [
    'countroom reconcile transfers ledger.csv',
    {
      command:
        'countroom reconcile transfers ledger.csv --since 2026-03-01T00:00:00Z --until 2026-04-01T00:00:00Z --csv march.csv',
      description: 'A whole month, with a row per transfer',
    },
  ]
  static override exits = ['permission', 'conflict', 'temporary', 'differences', 'inconclusive', 'locked'] as const
  static override files = [
    'the book (COUNTROOM_BOOK): the journal is read, what was looked up and found is noted',
    '--csv: written whole or not at all, over a file that is there only with --force',
  ]
  static override completes = { file: 'files', csv: 'files', book: 'files' }
  static override args = { file: Args.string({ description: 'The ledger, or - for stdin', required: true }) }
  static override flags = {
    since: Flags.string({ summary: 'The ledger covers the time from here', helpValue: 'ISO' }),
    until: Flags.string({ summary: 'The ledger covers the time up to here', helpValue: 'ISO' }),
    fresh: Flags.string({
      summary: 'How long a transfer that is not found may be still under way',
      default: '15m',
      helpValue: 'DURATION',
    }),
    anew: Flags.boolean({ summary: 'Also ask about what was matched before' }),
    csv: Flags.string({ summary: 'Write every transfer and what it came to', helpValue: 'FILE' }),
    force: Flags.boolean({ summary: 'Overwrite the file of --csv' }),
    ...shareFlag,
    ...bookFlag,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
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
      line: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the file.' }),
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
      known: Type.Integer({ description: 'Matched by an earlier run, and not asked about again.' }),
      span: Type.Union([Type.Object({ from: Type.String(), to: Type.String() }), Type.Null()], {
        description: 'For which time the journal was searched for what the ledger lacks.',
      }),
      transfers: Type.Array(Transfer, { description: 'Those that are not matched; --csv has them all.' }),
      doubts: Type.Array(Type.String()),
      breaks: Type.Array(Type.String(), { description: 'The open breaks of this run.' }),
      file: text,
    })
  }

  override async run() {
    const { args, flags } = await this.parse(ReconcileTransfers)
    const freshMs = durationOf('fresh', flags.fresh) ?? 0
    const [since, until] = [flags.since, flags.until].map((text) => (text === undefined ? undefined : momentFrom(text)))
    if (since !== undefined && until !== undefined && until < since)
      throw new Problem('INVALID_USAGE', 'The span ends before it begins')
    const file = outFile(flags.csv, flags.force)
    const { ledgerFromCsv } = await import('../../src/operator/reconcile/transfers/ledger-csv.ts')
    const ledger = await ledgerFromCsv(await readBytes(args.file))
    const times = ledger.flatMap(({ at }) => at ?? [])
    durationOf('wait', flags.wait)
    const clients = await this.clients()
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
    const progress = this.progress('Looking transfers up', ledger.length)
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
      { ledger, span, freshMs, isAnew: flags.anew },
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
    await this.warnOfClock(clients)
    const unsigned = result.transfers.filter(({ dir, result }) => dir === 'adjust' && result === 'matched').length
    if (unsigned > 0)
      this.warn(
        `The platform does not tell the sign of an adjustment: ${unsigned} ${unsigned === 1 ? 'is' : 'are'} matched by amount alone`,
      )
    return this.#conclude(result, {
      span,
      file,
      open: breaks.flatMap(({ id, state }) => (state === 'open' ? [id] : [])),
    })
  }

  /** What the ledger did not let this run do. */
  #warnOf(ledger: readonly LedgerTransfer[], span: Span | null): void {
    const searched = span && `${new Date(span.from).toISOString()} to ${new Date(span.to).toISOString()}`
    if (ledger.length === 0) {
      this.warn(
        `The ledger has no rows: nothing was compared${searched === null ? ', and the journal was not searched (--since says from when)' : `; the journal was searched from ${searched}`}`,
      )
      return
    }
    if (span === null) {
      this.warn('The ledger has no times: what it lacks of our own journal is looked for only with --since')
      return
    }
    const untimed = ledger.filter(({ at }) => at === null).length
    if (untimed > 0)
      this.warn(`${untimed} of ${ledger.length} rows have no time: the journal was searched from ${searched} alone`)
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
        `${transfers.length} transfers: ${counted.flatMap(([result, count]) => (count > 0 ? [`${count} ${words[result]}`] : [])).join(', ') || 'none'}.`,
      ),
    )
    for (const { line, result, message } of told.slice(0, mostTold))
      this.log(`- ${line === null ? '' : `line ${line}, `}${words[result]}: ${printable(message)}`)
    if (told.length > mostTold) this.log(`- and ${told.length - mostTold} more: see --csv or --json`)
    for (const doubt of doubts) this.warn(doubt)
    const counts = Object.fromEntries(counted)
    // What a person has closed is settled: it stays in the result, and is no alarm any more.
    const isSettled = verdict === 'differences' && open.length === 0
    if (verdict === 'differences' && !isSettled)
      this.endWith('DIFFERENCES', `The ledger and the platform differ: ${summaryOf(counted)}`, { counts, breaks: open })
    else if (counts['undecided'] || doubts.length > 0)
      this.endWith('CANNOT_CONCLUDE', `Some transfers may be still under way: ${summaryOf(counted)}`, { counts })
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
