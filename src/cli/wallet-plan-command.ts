import { hostname, userInfo } from 'node:os'
import type { Book } from '../book/book.ts'
import type { KeptWalletPlan, Person, PlanTally } from '../book/wallet-plans.ts'
import {
  type ApprovalLimits,
  aboveLimits,
  approvalLimits,
  approvalStanding,
  foldName,
  type Moved,
} from '../domain/approval.ts'
import { movedOf, type PlanRow, type PlanTotal, planIdPattern } from '../domain/wallet-plan.ts'
import type { RowOutcome } from '../jobs/wallet-plan-apply.ts'
import { Problem } from '../kit/problem.ts'
import type { BookTransferRow, BookWalletApprovalRow, BookWalletPlanRow } from '../store/tables/book.ts'
import { withoutPassword } from '../world/config.ts'
import { BookCommand, durationOf } from './book-command.ts'
import { Args } from './flags.ts'
import type { Column } from './render.ts'
import { placeFlags } from './transfer-command.ts'
import { typedCommand } from './typed-command.ts'

export const planArg = { plan: Args.string({ required: true, description: 'The id of the plan' }) }

export const planStates = ['made', 'approved', 'begun', 'finished', 'cancelled'] as const
export type PlanState = (typeof planStates)[number]

/** What is told of a plan. */
export interface PlanReport {
  readonly planId: string
  readonly state: PlanState
  readonly digest: string
  readonly source: string
  readonly sha256: string
  readonly note: string | null
  readonly creates: boolean
  readonly target: string
  readonly rows: number
  readonly players: number
  readonly totals: readonly PlanTotal[]
  readonly moved: readonly Moved[]
  readonly madeBy: string
  readonly osUser: string
  readonly host: string
  readonly madeAt: string
  readonly needsAnother: boolean
  readonly approvals: readonly { by: string; osUser: string; host: string; at: string; valid: boolean }[]
  readonly done: number
  readonly refused: number
  readonly unknown: number
  readonly left: number
  readonly begunAt: string | null
  readonly cancelledAt: string | null
  readonly cancelledBy: string | null
}

/** What is told of one row of it. */
export interface PlanRowReport {
  readonly place: number
  readonly line: number
  readonly txnId: string
  readonly username: string
  readonly dir: 'in' | 'out'
  readonly amount: string
  readonly currency: string
  readonly outcome: RowOutcome
  readonly code: string | null
  readonly message: string | null
  readonly balance: string | null
  readonly attempts: number
  readonly changedAt: string | null
  readonly note: string | null
}

export async function planFields() {
  const { Type } = await import('typebox')
  const text = Type.String()
  const orNull = Type.Union([text, Type.Null()])
  const count = Type.Integer()
  const dir = Type.Enum(['in', 'out'])
  return {
    planId: text,
    state: Type.Enum([...planStates]),
    digest: Type.String({ description: 'SHA-256 of all that is approved' }),
    source: text,
    sha256: Type.String({ description: 'Of the bytes of the file' }),
    note: orNull,
    creates: Type.Boolean({ description: 'Whether deposits may make players' }),
    target: Type.String({ description: 'Where the platform was when the plan was made' }),
    rows: count,
    players: count,
    totals: Type.Array(Type.Object({ currency: text, dir, rows: count, amount: text })),
    moved: Type.Array(Type.Object({ currency: text, amount: text }), {
      description: 'By currency, in and out together: what is confirmed, and held against the limits',
    }),
    madeBy: text,
    osUser: text,
    host: text,
    madeAt: text,
    needsAnother: Type.Boolean({ description: 'Whether somebody else than who made it has to approve' }),
    approvals: Type.Array(Type.Object({ by: text, osUser: text, host: text, at: text, valid: Type.Boolean() })),
    done: count,
    refused: count,
    unknown: count,
    left: count,
    begunAt: orNull,
    cancelledAt: orNull,
    cancelledBy: orNull,
  }
}

export async function planRowSchema() {
  const { Type } = await import('typebox')
  const text = Type.String()
  const orNull = Type.Union([text, Type.Null()])
  return Type.Object({
    place: Type.Integer(),
    line: Type.Integer({ description: 'Where it stands in the file' }),
    txnId: text,
    username: text,
    dir: Type.Enum(['in', 'out']),
    amount: text,
    currency: text,
    outcome: Type.Enum(['done', 'already', 'refused', 'unknown', 'unsent', 'left'], {
      description:
        'already: done before this run; unknown: it may have been carried out; unsent: tried, and known not to have been; left: not tried',
    }),
    code: orNull,
    message: orNull,
    balance: Type.Union([text, Type.Null()], { description: 'Of the player, right after it' }),
    attempts: Type.Integer(),
    changedAt: orNull,
    note: orNull,
  })
}

export const totalColumns = [
  { key: 'currency' },
  { key: 'dir' },
  { key: 'rows', kind: 'count' },
  { key: 'amount', kind: 'amount' },
] as const satisfies readonly Column[]

/** The columns of the result of a plan, as a file and in a table. */
export const rowColumns = [
  { key: 'line', kind: 'count' },
  { key: 'txnId', whole: true },
  { key: 'username', title: 'player' },
  { key: 'dir' },
  { key: 'amount', kind: 'amount' },
  { key: 'currency', title: 'cur' },
  {
    key: 'outcome',
    tint: (outcome) =>
      outcome === 'unknown' || outcome === 'refused'
        ? 'red'
        : outcome === 'done' || outcome === 'already'
          ? 'green'
          : undefined,
  },
  { key: 'code' },
  { key: 'balance', kind: 'amount' },
  { key: 'attempts', kind: 'count' },
  { key: 'changedAt' },
  { key: 'note' },
] as const satisfies readonly Column[]

/** What the commands that work on plans of many transfers have in common. */
export abstract class WalletPlanCommand extends BookCommand {
  static override files: readonly string[] = [
    'the book: plans, approvals, and every transfer before it is sent (COUNTROOM_BOOK)',
  ]

  /** Who runs this. A name that is given is taken as it is; the user of the machine is kept beside it. */
  protected get person(): Person {
    const osUser = osUserName()
    const name = (this.settings.settings.as ?? osUser).trim()
    if (name === '' || name.length > 64 || /\p{Cc}/u.test(name))
      throw new Problem('INVALID_USAGE', 'A name (--as, COUNTROOM_AS) is 1 to 64 letters in one line')
    return { name, osUser, host: hostname() }
  }

  protected get limits(): ApprovalLimits | undefined {
    const { approvalAbove } = this.settings.settings
    return approvalAbove === undefined ? undefined : (approvalLimits(approvalAbove) ?? undefined)
  }

  /** The plan that was named, whole and unchanged. */
  protected async keptPlan(book: Book, planId: string): Promise<KeptWalletPlan> {
    if (!planIdPattern.test(planId))
      throw new Problem(
        'INVALID_USAGE',
        `"${planId.slice(0, 70)}" is no id of a plan: "countroom wallet plans" lists them`,
      )
    // Ids that were made may be typed in small letters; names that were given are as they were given.
    const id = /^[0-9A-Z]{26}$/i.test(planId) ? planId.toUpperCase() : planId
    const { walletPlan } = await import('../book/wallet-plans.ts')
    return walletPlan(book, id)
  }

  /** A yes under another profile would be one without the questions that are asked of real money. */
  protected refuseElsewhere({ id, company_code: company, environment, target }: BookWalletPlanRow): void {
    const { profile } = this.profile
    const isHere =
      profile.kind === 'local'
        ? target === withoutPassword(profile.db)
        : profile.casino?.companyCode === company && profile.environment === environment
    if (isHere) return
    throw new Problem(
      'BOOK_OF_ANOTHER',
      `The plan ${id} is of ${company} (${environment}) at ${target}: name the profile of that platform`,
      { planId: id, companyCode: company, environment, target },
    )
  }

  /** One run at a time carries plans out or cancels one. Aborted when the lock was lost. */
  protected async lock(book: Book, url: string, wait: string | undefined): Promise<AbortSignal> {
    const waitMs = durationOf('wait', wait) ?? 0
    const [{ lockBook }, { realSleep }] = await Promise.all([import('../book/lock.ts'), import('../wire/sleep.ts')])
    const held = await lockBook(book, {
      url,
      job: 'wallet',
      me: this.me((this.id ?? 'wallet').replaceAll(':', ' ')),
      waitMs,
      sleep: realSleep,
      signal: this.stop,
      onWait: (holder) =>
        this.note(`Waiting for ${holder ? `process ${holder.pid} on ${holder.host}` : 'another run'}`),
    })
    this.closeLater(() => held.release())
    return held.lost
  }

  /** A command for the next step, with what this run was told of profile and book. */
  protected next(
    words: string,
    planId: string,
    flags: Readonly<Record<string, string | true | undefined>> = {},
  ): string {
    return typedCommand(words, [planId], { ...flags, ...placeFlags(this.settings) })
  }

  protected reportOf(
    plan: BookWalletPlanRow,
    approvals: readonly BookWalletApprovalRow[],
    { done, refused, unknown }: PlanTally,
  ): PlanReport {
    // Written by `keepWalletPlan` alone.
    const totals: PlanTotal[] = JSON.parse(plan.totals)
    const moved = movedOf(totals)
    const needsAnother = aboveLimits(moved, this.limits).length > 0
    const left = plan.rows - done - refused - unknown
    const standing = approvalStanding(
      { digest: plan.digest, madeBy: plan.made_by },
      approvals.map(({ name_key: nameKey, digest }) => ({ nameKey, digest })),
      needsAnother,
    )
    const state = (): PlanState => {
      if (plan.cancelled_at !== null) return 'cancelled'
      if (plan.begun_at !== null) return left === 0 && unknown === 0 ? 'finished' : 'begun'
      return standing === 'approved' ? 'approved' : 'made'
    }
    return {
      planId: plan.id,
      state: state(),
      digest: plan.digest,
      source: plan.source,
      sha256: plan.source_sha256,
      note: plan.note,
      creates: plan.creates === 1,
      target: plan.target,
      rows: plan.rows,
      players: plan.players,
      totals,
      moved,
      madeBy: plan.made_by,
      osUser: plan.made_os_user,
      host: plan.made_host,
      madeAt: new Date(plan.made_at).toISOString(),
      needsAnother,
      approvals: approvals.map(({ name, os_user: osUser, host, digest, approved_at: at }) => ({
        by: name,
        osUser,
        host,
        at: new Date(at).toISOString(),
        valid: digest === plan.digest,
      })),
      done,
      refused,
      unknown,
      left,
      begunAt: momentText(plan.begun_at),
      cancelledAt: momentText(plan.cancelled_at),
      cancelledBy: plan.cancelled_by,
    }
  }

  /** The same of one plan, its rows counted. */
  protected async reportOfKept({ plan, rows, approvals, transfers }: KeptWalletPlan): Promise<PlanReport> {
    const { standingOf } = await import('../jobs/wallet-plan-apply.ts')
    const tally = { done: 0, refused: 0, unknown: 0, left: 0 }
    for (const { txnId } of rows) tally[standingOf(transfers.get(txnId))] += 1
    return this.reportOf(plan, approvals, tally)
  }

  /** Throws APPROVAL_NEEDED where the plan may not be carried out. One that was begun needs a yes to what it is now; the limits were asked before it was. */
  protected refuseUnapproved({ planId, madeBy, digest, needsAnother, begunAt, approvals }: PlanReport): void {
    const standing = approvalStanding(
      { digest, madeBy },
      approvals.map(({ by, valid }) => ({ nameKey: foldName(by), digest: valid ? digest : '' })),
      needsAnother && begunAt === null,
    )
    if (standing === 'approved') return
    const next = this.next('wallet approve', planId)
    const why =
      standing === 'none'
        ? `The plan ${planId} is not approved`
        : `The plan ${planId} moves more than approvalAbove lets ${madeBy} approve alone: it needs somebody else`
    throw new Problem('APPROVAL_NEEDED', `${why}. Nothing was sent; "${next}" approves it`, { planId, next: [next] })
  }

  /** The head of a plan, for people. */
  protected tellPlan(report: PlanReport): void {
    const { planId, state, source, sha256, note, rows, players, digest, madeBy, osUser, madeAt, approvals, creates } =
      report
    this.fields({
      plan: planId,
      state: stateText(report),
      file: `${source} (SHA-256 ${sha256.slice(0, 12)}…)`,
      ...(note === null ? {} : { note }),
      rows: `${rows} for ${players} ${players === 1 ? 'player' : 'players'}${creates ? ', new ones may be made' : ''}`,
      digest: digest.slice(0, 16),
      made: `${madeAt.slice(0, 16).replace('T', ' ')} UTC by ${who(madeBy, osUser)}`,
      ...(approvals.length === 0
        ? {}
        : {
            approved: approvals
              .map(
                ({ by, osUser, at, valid }) =>
                  `${at.slice(0, 16).replace('T', ' ')} UTC by ${who(by, osUser)}${valid ? '' : ', of another content'}`,
              )
              .join('; '),
          }),
      ...(state === 'cancelled' ? { cancelled: `by ${report.cancelledBy}` } : {}),
    })
    this.log()
    this.table([...report.totals], totalColumns)
  }
}

const who = (name: string, osUser: string): string => (name === osUser ? name : `${name} (user ${osUser})`)

function stateText({ state, done, refused, unknown, left, needsAnother }: PlanReport): string {
  if (state === 'made') return needsAnother ? 'made, to be approved by somebody else' : 'made, to be approved'
  if (state === 'approved') return 'approved, to be applied'
  const parts = [
    `${done} done`,
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
  ]
  return `${state}: ${[...parts, ...(left > 0 ? [`${left} left`] : [])].join(', ')}`
}

const momentText = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/** The user this process runs as; its number where the machine has no name for it. */
function osUserName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** A row as the book has it. */
export function rowReport(
  row: PlanRow,
  known: BookTransferRow | undefined,
  result: Pick<PlanRowReport, 'outcome' | 'code' | 'message' | 'balance' | 'attempts'>,
): PlanRowReport {
  const { place, line, txnId, username, dir, amount, currency, note } = row
  return {
    ...{ place, line, txnId, username, dir, amount, currency },
    ...result,
    changedAt: momentText(known?.changed_at ?? null),
    note,
  }
}
