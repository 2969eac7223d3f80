import { withoutPassword } from '../../../db/engines/database-name.ts'
import type { BookWalletApprovalRow, BookWalletPlanRow } from '../../../db/schema/book.ts'
import {
  type Approval,
  type ApprovalLimits,
  aboveLimits,
  approvalEnd,
  approvalLimits,
  approvalStanding,
  foldName,
} from '../../../domain/wallet/approval.ts'
import { movedOf, type PlanTotal, planIdPattern } from '../../../domain/wallet/batch.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Book } from '../../../operator/book/book.ts'
import type { Person } from '../../../operator/transfers/batch-decisions.ts'
import type { KeptWalletPlan, PlanTally } from '../../../operator/transfers/batches.ts'
import { Args } from '../../framework/flags.ts'
import { personHere } from '../../framework/operator-name.ts'
import { typedCommand } from '../../framework/shell-quote.ts'
import { BookCommand, durationOf } from '../reconcile/book-command.ts'
import {
  momentText,
  type PlanApproval,
  type PlanReport,
  type PlanState,
  stateText,
  totalColumns,
  who,
} from './batch-view.ts'
import { placeFlags } from './transfer-command.ts'

export const planArg = { plan: Args.string({ required: true, description: 'The id of the plan' }) }

/** What the commands that work on plans of many transfers have in common. */
export abstract class WalletPlanCommand extends BookCommand {
  static override files: readonly string[] = [
    'the book: plans, approvals, and every transfer before it is sent (COUNTROOM_BOOK)',
  ]

  /** Who runs this. A name that is given is taken as it is; the user of the machine is kept beside it. */
  protected get person(): Person {
    return personHere(this.settings)
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
    const { walletPlan } = await import('../../../operator/transfers/batches.ts')
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
    const [{ lockBook }, { realSleep }] = await Promise.all([
      import('../../../operator/book/lock.ts'),
      import('../../../http/client/sleep.ts'),
    ])
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
    const told = approvals.map((each) => this.#approvalOf(plan, each))
    const standing = approvalStanding(
      { digest: plan.digest, madeBy: plan.made_by },
      validOf({ digest: plan.digest, approvals: told }),
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
      approvals: told,
      done,
      refused,
      unknown,
      left,
      begunAt: momentText(plan.begun_at),
      cancelledAt: momentText(plan.cancelled_at),
      cancelledBy: plan.cancelled_by,
    }
  }

  #approvalOf(plan: BookWalletPlanRow, approval: BookWalletApprovalRow): PlanApproval {
    const { name, os_user: osUser, host, digest, approved_at: at } = approval
    const until = approvalEnd(at, Number(this.settings.settings.approvalDays))
    const isOfThis = digest === plan.digest
    return {
      ...{ by: name, osUser, host, isOfThis, valid: isOfThis && Date.now() < until },
      ...{ at: new Date(at).toISOString(), until: new Date(until).toISOString() },
    }
  }

  /** The same of one plan, its rows counted. */
  protected async reportOfKept({ plan, rows, approvals, transfers }: KeptWalletPlan): Promise<PlanReport> {
    const { standingOf } = await import('../../../operator/transfers/apply-batch.ts')
    const tally = { done: 0, refused: 0, unknown: 0, left: 0 }
    for (const { txnId } of rows) tally[standingOf(transfers.get(txnId))] += 1
    return this.reportOf(plan, approvals, tally)
  }

  /** Throws APPROVAL_NEEDED where the plan may not be carried out. One that was begun needs a yes to what it is now; the limits were asked before it was. */
  protected refuseUnapproved({ planId, madeBy, digest, needsAnother, begunAt, approvals }: PlanReport): void {
    const standing = approvalStanding(
      { digest, madeBy },
      validOf({ digest, approvals }),
      needsAnother && begunAt === null,
    )
    if (standing === 'approved') return
    const next = this.next('wallet approve', planId)
    const lapsed = approvals.filter(({ isOfThis, valid }) => isOfThis && !valid)
    const [last] = lapsed.toReversed()
    const { approvalDays } = this.settings.settings
    if (last !== undefined)
      throw new Problem(
        'APPROVAL_NEEDED',
        `The approval of the plan ${planId} by ${last.by} lapsed on ${last.until.slice(0, 16).replace('T', ' ')} UTC: one holds for ${approvalDays} ${approvalDays === '1' ? 'day' : 'days'} (approvalDays). Nothing was sent; look at it again, and "${next}" approves it anew`,
        { planId, approvalDays, lapsed: lapsed.map(({ by, at, until }) => ({ by, at, until })), next: [next] },
      )
    const why =
      standing === 'none'
        ? `The plan ${planId} is not approved`
        : `The plan ${planId} moves more than approvalAbove lets ${madeBy} approve alone: it needs somebody else`
    throw new Problem('APPROVAL_NEEDED', `${why}. Nothing was sent; "${next}" approves it`, { planId, next: [next] })
  }

  /** The head of a plan, for people; of one that was only rehearsed what does not hang on its being made. */
  protected tellPlan(report: PlanReport, { isRehearsal = false } = {}): void {
    const { planId, state, source, sha256, note, rows, players, digest, madeBy, osUser, madeAt, approvals, creates } =
      report
    this.fields({
      ...(isRehearsal ? {} : { plan: planId }),
      state: isRehearsal ? 'checked, not made' : stateText(report),
      file: `${source} (SHA-256 ${sha256.slice(0, 12)}…)`,
      ...(note === null ? {} : { note }),
      rows: `${rows} for ${players} ${players === 1 ? 'player' : 'players'}${creates ? ', new ones may be made' : ''}`,
      ...(isRehearsal
        ? { by: who(madeBy, osUser) }
        : {
            digest: digest.slice(0, 16),
            made: `${madeAt.slice(0, 16).replace('T', ' ')} UTC by ${who(madeBy, osUser)}`,
          }),
      ...(approvals.length === 0
        ? {}
        : {
            approved: approvals
              .map(
                ({ by, osUser, at, until, isOfThis, valid }) =>
                  `${at.slice(0, 16).replace('T', ' ')} UTC by ${who(by, osUser)}${isOfThis ? (valid ? '' : `, lapsed on ${until.slice(0, 10)}`) : ', of another content'}`,
              )
              .join('; '),
          }),
      ...(state === 'cancelled' ? { cancelled: `by ${report.cancelledBy}` } : {}),
    })
    this.log()
    this.table([...report.totals], totalColumns)
  }
}

/** The approvals that count, as the rule wants them. */
function validOf({ digest, approvals }: Pick<PlanReport, 'digest' | 'approvals'>): Approval[] {
  return approvals.flatMap(({ by, valid }) => (valid ? [{ nameKey: foldName(by), digest }] : []))
}
