import { type PlanTotal, totalsOf } from '../../../domain/wallet/batch.ts'
import { realAmbient } from '../../../kit/ambient.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import type { Book } from '../../../operator/book/book.ts'
import type { PlanRunEnd, RowResult } from '../../../operator/transfers/apply-batch.ts'
import type { KeptWalletPlan } from '../../../operator/transfers/batches.ts'
import type { Clients } from '../../../world/clients/casino.ts'
import { durationOf } from '../../arguments/moments.ts'
import { confirmTotals } from '../../context/confirm-money.ts'
import { exitCodeFor } from '../../framework/command.ts'
import { attemptsFlag, bookFlag, dryRunFlag, Flags, totalsFlags } from '../../framework/flags.ts'
import { patienceHere, shareFlags } from '../../framework/rate-share-flags.ts'
import { batchCategory, type Category, categoryOf, moneyExits, problemOf } from '../../outcome/exit-codes.ts'
import type { ResultSchema, Shapes } from '../../outcome/result-schema.ts'
import { outFile, writeOut } from '../../terminal/out-file.ts'
import { WalletPlanCommand } from './batch-command.ts'
import { type PlanReport, type PlanRowReport, planFields, planRowSchema, rowColumns, rowReport } from './batch-view.ts'

export const runFlags = {
  'at-once': Flags.integer({
    summary: 'Number of players to process in parallel; the rows of a player keep their order',
    default: 8,
    min: 1,
    max: 64,
    helpValue: 'N',
  }),
  ...attemptsFlag,
  'stop-on-refusal': Flags.boolean({ summary: 'Start no more rows after one is rejected' }),
  'retry-refused': Flags.boolean({ summary: 'Send rows again that an earlier run rejected' }),
  deadline: Flags.string({
    summary: 'Start no more rows and retries after this long; requests in progress are finished',
    helpValue: 'DURATION',
  }),
  wait: Flags.string({ summary: 'Wait up to this long for a concurrent run to finish', helpValue: 'DURATION' }),
  out: Flags.string({ summary: 'CSV file to write the outcome of every row to', helpValue: 'FILE.csv' }),
  force: Flags.boolean({ summary: 'Overwrite an existing --out file' }),
  ...shareFlags,
  ...bookFlag,
  ...dryRunFlag,
  ...totalsFlags,
}

/** Parsed flags of a run. */
export interface RunFlags {
  readonly 'at-once': number
  readonly 'stop-on-refusal'?: boolean
  readonly 'retry-refused'?: boolean
  readonly deadline?: string | undefined
  readonly wait?: string | undefined
  readonly out?: string | undefined
  readonly force?: boolean
  readonly 'rate-share': number
  readonly rate?: number | undefined
  readonly yes?: boolean
  readonly 'confirm-total'?: readonly { amount: string; currency: string }[] | undefined
}

/** Maximum number of unfinished rows in the table; the file and --json have all. */
const mostShown = 40

/** Schema of the report of a run. */
export function runSchema(shapes: Shapes) {
  const { Type } = shapes
  const text = Type.String()
  return Type.Object({
    ...planFields(shapes),
    transfers: Type.Array(planRowSchema(shapes)),
    doneNow: Type.Integer({ description: 'Number of rows done in this run.' }),
    doneTotals: Type.Array(
      Type.Object({ currency: text, dir: Type.Enum(['in', 'out']), rows: Type.Integer(), amount: text }),
      { description: 'Totals of all rows that are done, in this or an earlier run.' },
    ),
    dryRun: Type.Boolean(),
    out: Type.Union([text, Type.Null()]),
    next: Type.Array(text),
  })
}

/** Base class of commands that apply a batch, from its start or from where it stopped. */
export abstract class WalletRunCommand extends WalletPlanCommand {
  static override writes = true
  static override exits = [...moneyExits, 'partial', 'locked', 'stopped'] as const
  static override files = [
    'the book (COUNTROOM_BOOK): every transfer is written to it before it is sent; and its lock file',
    '--out: written atomically when the run ends',
  ]
  static override completes = { plan: 'plans', book: 'files', out: 'files' }
  static override data: ResultSchema = runSchema

  /** Applies the unfinished rows of the batch that `choose` returns, under the lock. */
  protected async carryOut(
    choose: (book: Book) => Promise<KeptWalletPlan>,
    flags: RunFlags,
    job: 'wallet apply' | 'wallet resume',
  ) {
    const out = outFile(flags.out, flags.force === true)
    const deadlineMs = durationOf('deadline', flags.deadline)
    const deadline = deadlineMs === undefined ? [] : [AbortSignal.timeout(deadlineMs)]
    const { book, url } = await this.services.book()
    // A missing or invalid batch is reported even while another run holds the lock.
    const { planId } = await this.#judged(await choose(book), flags)
    const lost = this.isDryRun ? new AbortController().signal : await this.lock(book, url, flags.wait)
    const { walletPlan } = await import('../../../operator/transfers/batches.ts')
    const kept = await walletPlan(book, planId)
    const report = await this.#judged(kept, flags)
    if (this.isDryRun) return this.#rehearsed(kept, report, flags)
    await this.#heldAgainst(flags, report)
    const halt = AbortSignal.any([this.stop, lost, ...deadline])
    const isOver = report.state === 'finished' && !flags['retry-refused']
    const end = await this.#run(book, kept, { flags, job, halt, isOver })
    if (lost.aborted) this.warn('The lock was lost; no more rows were started')
    if (deadline[0]?.aborted && !this.stop.aborted) this.warn('Deadline reached; no more rows were started')
    return this.#told(await walletPlan(book, planId), end, out)
  }

  async #judged(kept: KeptWalletPlan, flags: RunFlags): Promise<PlanReport> {
    const report = await this.reportOfKept(kept)
    const { planId, state } = report
    if (state === 'cancelled')
      throw new Problem('CONFLICT', `Batch ${planId} is canceled; nothing is sent`, {
        planId,
        remoteCode: null,
      })
    if (state !== 'finished' || flags['retry-refused']) this.refuseUnapproved(report)
    return report
  }

  /** Given totals are compared with those of the batch. They are optional, because the approver has confirmed them. */
  async #heldAgainst(flags: RunFlags, { rows, moved }: PlanReport): Promise<void> {
    if ((flags['confirm-total'] ?? []).length === 0) return
    await confirmTotals(
      this.prompts,
      this.profile,
      { order: `Apply ${rows} ${rows === 1 ? 'transfer' : 'transfers'}`, totals: moved },
      flags,
    )
  }

  async #run(
    book: Book,
    kept: KeptWalletPlan,
    { flags, job, halt, isOver }: { flags: RunFlags; job: string; halt: AbortSignal; isOver: boolean },
  ): Promise<PlanRunEnd> {
    const [{ carryOutPlan }, { recorded }, { beginWalletPlan }] = await Promise.all([
      import('../../../operator/transfers/apply-batch.ts'),
      import('../../../operator/book/runs.ts'),
      import('../../../operator/transfers/batch-decisions.ts'),
    ])
    const { plan } = kept
    const clients = await this.#clientsFor(book, kept)
    const retryOptions = patienceHere(this.settings, (text) => this.note(text), halt)
    // If everything is done, no request is necessary.
    const transport = isOver ? clients.casinoTransport : await this.#transport(clients, { flags, retryOptions, halt })
    await beginWalletPlan(book, kept)
    const progress = this.progress('Transfers', kept.rows.length)
    const counts = { done: 0, already: 0, refused: 0, unknown: 0, unsent: 0, left: 0 }
    let rows = 0
    try {
      const end = await recorded(
        book,
        { id: realAmbient().id(), job },
        () =>
          carryOutPlan(
            { book, transport, retryOptions, platformNow: clients.platformNow, stop: halt },
            {
              planId: plan.id,
              rows: kept.rows,
              transfers: kept.transfers,
              atOnce: flags['at-once'],
              stopOnRefusal: flags['stop-on-refusal'] === true,
              retryRefused: flags['retry-refused'] === true,
              halt,
              onRow: ({ outcome }) => {
                counts[outcome] += 1
                rows += 1
                progress.update(rows, countsText({ ...counts, left: 0, done: 0, already: 0 }))
              },
            },
          ),
        (end) => ({
          exit: exitCodeFor('error' in end ? problemOf(end.error) : complaintOf(end.value)),
          summary: { planId: plan.id, ...counts },
        }),
      )
      progress.end(countsText(counts))
      return end
    } catch (error) {
      progress.end('stopped; the book has everything that was done')
      throw error
    }
  }

  /** Returns the clients of the profile, after a check that the batch and the book belong to its tenant. */
  async #clientsFor(book: Book, { plan }: KeptWalletPlan): Promise<Clients> {
    const { claimBook } = await import('../../../operator/book/book.ts')
    const clients = await this.services.casino()
    const { companyCode, environment, timezone, target } = clients.casinoAccess
    await claimBook(book, { company_code: companyCode, environment, timezone })
    if (plan.company_code !== companyCode || plan.environment !== environment)
      throw new Problem(
        'BOOK_OF_ANOTHER',
        `The batch is for ${plan.company_code} (${plan.environment}), not ${companyCode} (${environment})`,
      )
    if (plan.target !== target)
      this.warn(`The players were looked up at ${plan.target}, but the profile is now at ${target}`)
    return clients
  }

  /** Returns a transport that keeps to the share of the tenant's rate limit, which is read from the platform. */
  async #transport(
    clients: Clients,
    {
      flags,
      retryOptions,
      halt,
    }: { flags: RunFlags; retryOptions: ReturnType<typeof patienceHere>; halt: AbortSignal },
  ) {
    const { withinShare } = await import('../../../operator/rate-share/transport.ts')
    const share = {
      environment: clients.casinoAccess.environment,
      rateShare: flags['rate-share'],
      rate: flags.rate,
    }
    return withinShare(clients.casinoTransport, share, retryOptions).catch((error) => {
      if (!halt.aborted || isProblem(error)) throw error
      throw new Problem(
        'REMOTE_UNAVAILABLE',
        'Deadline reached before the platform could be contacted; nothing was sent',
        { outcome: 'none' },
        { cause: error },
      )
    })
  }

  #rehearsed(kept: KeptWalletPlan, report: PlanReport, flags: RunFlags) {
    const { rows, unknown, refused } = report
    const left = report.left + (flags['retry-refused'] ? refused : 0)
    this.tellPlan(report)
    const looked = unknown > 0 ? `${unknown} would be looked up first, then ` : ''
    this.footnote(
      `Valid; nothing was sent. Without --dry-run: ${looked}${left} of ${rows} ${rows === 1 ? 'transfer' : 'transfers'} would be sent.`,
    )
    const transfers = kept.rows.map((row) => {
      const known = kept.transfers.get(row.txnId)
      const outcome =
        known?.state === 'done'
          ? 'already'
          : known?.state === 'refused' || known?.state === 'unknown'
            ? known.state
            : 'left'
      return rowReport(row, known, {
        ...{ outcome, message: null, code: known?.refusal ?? null },
        ...{ balance: known?.balance ?? null, attempts: known?.attempts ?? 0 },
      })
    })
    const doneTotals = totalsOf(kept.rows.filter(({ txnId }) => kept.transfers.get(txnId)?.state === 'done'))
    return { ...report, transfers, doneNow: 0, doneTotals, dryRun: true, out: null, next: [] as string[] }
  }

  async #told(kept: KeptWalletPlan, end: PlanRunEnd, out: string | null) {
    const report = await this.reportOfKept(kept)
    const { planId } = report
    const transfers = end.results.map(({ row, ...result }) => rowReport(row, kept.transfers.get(row.txnId), result))
    if (out !== null) await this.#write(out, transfers)
    const isDone = new Set(
      end.results.flatMap(({ row, outcome }) => (outcome === 'done' || outcome === 'already' ? [row.place] : [])),
    )
    const doneTotals = totalsOf(kept.rows.filter(({ place }) => isDone.has(place)))
    const doneNow = end.results.filter(({ outcome }) => outcome === 'done').length
    const next = report.state === 'begun' ? [this.next('wallet resume', planId)] : []
    this.#print(report, transfers, doneTotals)
    if (end.unrecorded > 0)
      this.warn(
        `${end.unrecorded} ${end.unrecorded === 1 ? 'transfer is' : 'transfers are'} done but could not be saved in the book. To save them: ${this.next('wallet resume', planId)}`,
      )
    const complaint = complaintOf(end, next[0])
    if (complaint) this.endWith(complaint.code, complaint.message, complaint.detail)
    if (out !== null) this.footnote(`Wrote ${out}`)
    if (next[0] !== undefined)
      this.footnote(
        `${report.left + report.unknown} ${report.left + report.unknown === 1 ? 'row is' : 'rows are'} not finished. To continue: ${next[0]}`,
      )
    return { ...report, transfers, doneNow, doneTotals, dryRun: false, out, next }
  }

  /** The money has moved, so a failed write of the file is only a warning. */
  async #write(out: string, transfers: readonly PlanRowReport[]): Promise<void> {
    const { csvText } = await import('../../terminal/table.ts')
    try {
      writeOut(out, await csvText(transfers, rowColumns, true))
    } catch (error) {
      this.warn(
        `Cannot write ${out} (${problemOf(error).message}). To write it again: countroom wallet plans PLAN --out FILE`,
      )
    }
  }

  #print(report: PlanReport, transfers: readonly PlanRowReport[], doneTotals: readonly PlanTotal[]): void {
    const totals = report.totals.map((total) => {
      const done = doneTotals.find(({ currency, dir }) => currency === total.currency && dir === total.dir)
      return { ...total, doneRows: done?.rows ?? 0, doneAmount: done?.amount ?? '0' }
    })
    this.table(totals, [
      { key: 'currency' },
      { key: 'dir' },
      { key: 'rows', kind: 'count' },
      { key: 'amount', kind: 'amount' },
      { key: 'doneRows', title: 'done', kind: 'count' },
      { key: 'doneAmount', title: 'amount done', kind: 'amount' },
    ])
    const open = transfers.filter(
      ({ outcome }) => outcome === 'refused' || outcome === 'unknown' || outcome === 'unsent',
    )
    if (open.length === 0) return
    this.log()
    this.table(open.slice(0, mostShown), [
      ...rowColumns.filter(({ key }) =>
        ['line', 'txnId', 'username', 'dir', 'amount', 'currency', 'outcome'].includes(key),
      ),
      { key: 'code', title: 'reason' },
    ])
    if (open.length > mostShown)
      this.footnote(
        `And ${open.length - mostShown} more that ${open.length - mostShown === 1 ? 'is' : 'are'} not done.`,
      )
  }
}

function countsText(counts: Readonly<Record<RowResult['outcome'], number>>): string {
  const words = {
    done: 'done',
    already: 'already done',
    refused: 'refused',
    unknown: 'unknown',
    unsent: 'not sent',
    left: 'left',
  }
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count.toLocaleString('en-US')} ${words[outcome as keyof typeof words]}`)
    .join(', ')
}

/** Returns the problem of a run: the worst category of its rows, as for all batches. */
function complaintOf({ results, stoppedOn }: PlanRunEnd, next?: string): Problem | undefined {
  const category = batchCategory(results.map(categoryOfRow))
  if (category === 'ok') return undefined
  const count = (outcome: RowResult['outcome']) => results.filter((each) => each.outcome === outcome).length
  const counts = { refused: count('refused'), unknown: count('unknown'), unsent: count('unsent'), left: count('left') }
  const said = countsText({ done: 0, already: 0, ...counts })
  const why = stoppedOn === undefined ? '' : `. Stopped by ${stoppedOn.code}: ${stoppedOn.message}`
  const how = next === undefined ? '' : `. To continue: ${next}`
  const detail = {
    category,
    ...counts,
    ...(stoppedOn ? { reason: stoppedOn.code } : {}),
    ...(next ? { next: [next] } : {}),
  }
  if (category === 'unknown-outcome')
    return new Problem(
      'MONEY_UNKNOWN',
      `Unknown outcome of ${counts.unknown} ${counts.unknown === 1 ? 'transfer' : 'transfers'} (${said})${why}${how}. Never send ${counts.unknown === 1 ? 'it' : 'them'} with another transfer ID`,
      detail,
    )
  return new Problem('BATCH_PARTLY', `Not all transfers are done: ${said}${why}${how}`, detail)
}

function categoryOfRow({ outcome, code }: RowResult): Category {
  if (outcome === 'done' || outcome === 'already') return 'ok'
  if (outcome === 'unknown') return 'unknown-outcome'
  if (outcome === 'left' || code === null) return 'temporary'
  return code === 'INTERRUPTED' ? 'temporary' : categoryOf(code)
}
