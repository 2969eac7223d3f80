import { Args, bookFlag, Flags, listFlags, moreThere } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { outFile, writeOut } from '../../src/cli/terminal/out-file.ts'
import { WalletPlanCommand } from '../../src/cli/topics/wallet/batch-command.ts'
import {
  type PlanReport,
  type PlanRowReport,
  planFields,
  planRowSchema,
  rowColumns,
  rowReport,
} from '../../src/cli/topics/wallet/batch-view.ts'
import type { Book } from '../../src/operator/book/book.ts'

export default class WalletPlans extends WalletPlanCommand {
  static override summary = 'List the transfer batches in the book, or show one with its rows'
  static override description =
    'Reads the book only. For one batch, --csv and --jsonl print its rows; --out writes the rows with their outcomes as CSV, at any time.'
  static override examples = [
    'countroom wallet plans',
    'countroom wallet plans 01JQ7Z6Y3V8T2M9K4H5N0B1C2D',
    {
      command: 'countroom wallet plans 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --out result.csv',
      description: 'Export the outcome of each row',
    },
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override completes = { plan: 'plans', book: 'files', out: 'files' }
  static override args = { plan: Args.string({ description: 'Batch ID (default: list all)' }) }
  static override flags = {
    limit: Flags.integer({ summary: 'Maximum number of batches', default: 20, min: 1, max: 1_000, helpValue: 'N' }),
    out: Flags.string({ summary: 'CSV file to write the rows of the batch to', helpValue: 'FILE.csv' }),
    force: Flags.boolean({ summary: 'Overwrite an existing --out file' }),
    ...bookFlag,
    ...listFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      plans: Type.Array(Type.Object(planFields(shapes))),
      transfers: Type.Array(planRowSchema(shapes), { description: 'Rows of the batch, if one is named.' }),
      more: Type.Boolean(moreThere),
      out: Type.Union([Type.String(), Type.Null()]),
    })
  }

  /** With a batch named, the list is its rows. */
  protected override get listName() {
    return this.given['plan'] === undefined ? 'plans' : 'transfers'
  }

  override async run() {
    const { args, flags } = await this.parse(WalletPlans)
    const { Problem } = await import('../../src/kit/problem.ts')
    if (flags.out !== undefined && args.plan === undefined)
      throw new Problem('INVALID_USAGE', '--out requires a batch: countroom wallet plans PLAN --out FILE.csv')
    const out = outFile(flags.out, flags.force)
    // The columns for programs are always the same.
    const isWhole = flags.csv || flags.columns !== undefined
    const { isBookThere } = await import('../../src/world/clients/book-location.ts')
    if (args.plan === undefined && !isBookThere(this.settings, this.profile))
      return this.#listed({ rows: [], more: false }, isWhole)
    const { book } = await this.services.book()
    if (args.plan === undefined)
      return this.#listed(this.upTo(flags.limit, await this.#plans(book, flags.limit + 1)), isWhole)
    return this.#one(book, args.plan, out, flags)
  }

  async #plans(book: Book, limit: number): Promise<PlanReport[]> {
    const [{ listWalletPlans, talliesOf }, { approvalsOf }, { isUnjudged }] = await Promise.all([
      import('../../src/operator/transfers/batches.ts'),
      import('../../src/operator/transfers/batch-decisions.ts'),
      import('../../src/operator/transfers/apply-batch.ts'),
    ])
    const plans = await listWalletPlans(book, limit)
    const ids = plans.map(({ id }) => id)
    const [approvals, tallies] = [await approvalsOf(book, ids), await talliesOf(book, ids, isUnjudged)]
    return plans.map((plan) =>
      this.reportOf(
        plan,
        approvals.filter(({ plan_id: planId }) => planId === plan.id),
        tallies.get(plan.id) ?? { done: 0, refused: 0, unknown: 0 },
      ),
    )
  }

  #listed({ rows: plans, more }: { rows: readonly PlanReport[]; more: boolean }, isWhole: boolean) {
    const told = plans.map(({ moved, ...plan }) => ({
      ...plan,
      moves: moved.map(({ amount, currency }) => `${amount} ${currency}`).join(', '),
      progress: progressOf(plan),
    }))
    const made = { key: 'madeAt', title: 'created', whole: true, show: (at: unknown) => String(at).slice(0, 10) }
    const [plan, file, moves] = [{ key: 'planId', whole: true }, { key: 'source', title: 'file' }, { key: 'moves' }]
    const counts = ['rows', 'done', 'refused', 'unknown', 'left'].map((key) => ({ key, kind: 'count' as const }))
    this.table(
      told,
      isWhole
        ? [made, plan, { key: 'madeBy', title: 'by' }, file, moves, { key: 'state' }, ...counts]
        : [made, plan, file, moves, { key: 'progress', title: 'state', tint: (text) => colourOf(String(text)) }],
      'The book has no batches.',
    )
    return { plans, transfers: [], more, out: null }
  }

  async #one(book: Book, planId: string, out: string | null, flags: { csv?: boolean; columns?: string | undefined }) {
    const kept = await this.keptPlan(book, planId)
    const { standingOf } = await import('../../src/operator/transfers/apply-batch.ts')
    const report = await this.reportOfKept(kept)
    const transfers = kept.rows.map((row): PlanRowReport => {
      const known = kept.transfers.get(row.txnId)
      const { refusal: code = null, balance = null, attempts = 0 } = known ?? {}
      return rowReport(row, known, { outcome: standingOf(known), code, message: null, balance, attempts })
    })
    if (out !== null) {
      const { csvText } = await import('../../src/cli/terminal/table.ts')
      writeOut(out, await csvText(transfers, rowColumns, true))
    }
    if (flags.csv !== true) {
      this.tellPlan(report)
      this.log()
    }
    // Leaves out columns that have the same value, or none, in every row.
    const isBare = flags.csv !== true && flags.columns === undefined
    const spare = new Set(['attempts', 'changedAt', ...(report.begunAt === null ? ['balance', 'code', 'outcome'] : [])])
    this.table(transfers, isBare ? rowColumns.filter(({ key }) => !spare.has(key)) : rowColumns)
    if (out !== null) this.footnote(`Wrote ${out}`)
    return { plans: [report], transfers, more: false, out }
  }
}

/** Returns the progress of a batch in a few words. */
function progressOf({ state, rows, done, refused, unknown }: Omit<PlanReport, 'moved'>): string {
  if (state === 'made' || state === 'approved') return state
  const open = [...(refused > 0 ? [`${refused} refused`] : []), ...(unknown > 0 ? [`${unknown} unknown`] : [])]
  return [`${state} ${done}/${rows}`, ...open].join(', ')
}

/** Warns about rows that need attention. */
const colourOf = (state: string) => (state.includes('unknown') ? ('red' as const) : undefined)
