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
import { maybeMoment } from '../../../kit/moment.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Book } from '../../../operator/book/book.ts'
import type { Person } from '../../../operator/transfers/batch-decisions.ts'
import type { KeptWalletPlan, PlanTally } from '../../../operator/transfers/batches.ts'
import { durationOf } from '../../arguments/moments.ts'
import { lockHolder } from '../../context/lock-holder.ts'
import { personHere } from '../../context/operator-name.ts'
import { placeFlags } from '../../context/suggested-command.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { Args } from '../../framework/flags.ts'
import { typedCommand } from '../../framework/shell-quote.ts'
import { utcText } from '../../terminal/text.ts'
import { type PlanApproval, type PlanReport, type PlanState, stateText, totalColumns, who } from './batch-view.ts'

export const planArg = { plan: Args.string({ required: true, description: 'Batch ID' }) }

/** Base class of commands on transfer batches. */
export abstract class WalletPlanCommand extends CountroomCommand {
  static override files: readonly string[] = [
    'the book (COUNTROOM_BOOK): batches, approvals, and every transfer before it is sent',
  ]

  /** Returns who runs this: the given name, with the user of the machine. */
  protected get person(): Person {
    return personHere(this.settings)
  }

  protected get limits(): ApprovalLimits | undefined {
    const { approvalAbove } = this.settings.settings
    return approvalAbove === undefined ? undefined : (approvalLimits(approvalAbove) ?? undefined)
  }

  /** Returns the named batch and checks that it is unchanged. */
  protected async keptPlan(book: Book, planId: string): Promise<KeptWalletPlan> {
    if (!planIdPattern.test(planId))
      throw new Problem(
        'INVALID_USAGE',
        `"${planId.slice(0, 70)}" is not a batch ID. To list the batches: countroom wallet plans`,
      )
    // Generated IDs are case-insensitive; given ones are not.
    const id = /^[0-9A-Z]{26}$/i.test(planId) ? planId.toUpperCase() : planId
    const { walletPlan } = await import('../../../operator/transfers/batches.ts')
    return walletPlan(book, id)
  }

  /** Rejects another profile: an approval there would skip the questions about real money. */
  protected refuseElsewhere({ id, company_code: company, environment, target }: BookWalletPlanRow): void {
    const { profile } = this.profile
    const isHere =
      profile.kind === 'local'
        ? target === withoutPassword(profile.db)
        : profile.casino?.companyCode === company && profile.environment === environment
    if (isHere) return
    throw new Problem(
      'BOOK_OF_ANOTHER',
      `Batch ${id} is for ${company} (${environment}) at ${target}. Pass the --profile of that platform`,
      { planId: id, companyCode: company, environment, target },
    )
  }

  /** Takes the lock: one run at a time applies or cancels batches. Aborted if the lock is lost. */
  protected async lock(book: Book, url: string, wait: string | undefined): Promise<AbortSignal> {
    const waitMs = durationOf('wait', wait) ?? 0
    const [{ lockBook }, { realSleep }] = await Promise.all([
      import('../../../operator/book/lock.ts'),
      import('../../../http/client/sleep.ts'),
    ])
    const held = await lockBook(book, {
      url,
      job: 'wallet',
      me: lockHolder(this),
      waitMs,
      sleep: realSleep,
      signal: this.stop,
      onWait: (holder) =>
        this.note(`Waiting for ${holder ? `process ${holder.pid} on ${holder.host}` : 'another run'} to finish`),
    })
    this.closeLater(() => held.release())
    return held.lost
  }

  /** Returns the next command, with the profile and book flags of this run. */
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
    // Only `keepWalletPlan` writes this column.
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
      begunAt: maybeMoment(plan.begun_at),
      cancelledAt: maybeMoment(plan.cancelled_at),
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

  /** Returns the report of one batch, with its rows counted. */
  protected async reportOfKept({ plan, rows, approvals, transfers }: KeptWalletPlan): Promise<PlanReport> {
    const { standingOf } = await import('../../../operator/transfers/apply-batch.ts')
    const tally = { done: 0, refused: 0, unknown: 0, left: 0 }
    for (const { txnId } of rows) tally[standingOf(transfers.get(txnId))] += 1
    return this.reportOf(plan, approvals, tally)
  }

  /** Throws APPROVAL_NEEDED if the batch must not be applied. A started batch needs an approval of its current content; the limits were checked before. */
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
        `The approval of batch ${planId} by ${last.by} expired on ${utcText(last.until)}: an approval is valid for ${approvalDays} ${approvalDays === '1' ? 'day' : 'days'} (setting approvalDays). Nothing was sent. To approve it again: ${next}`,
        { planId, approvalDays, lapsed: lapsed.map(({ by, at, until }) => ({ by, at, until })), next: [next] },
      )
    const why =
      standing === 'none'
        ? `Batch ${planId} is not approved`
        : `Batch ${planId} exceeds approvalAbove, so ${madeBy} cannot approve it alone; a second person must approve it`
    throw new Problem('APPROVAL_NEEDED', `${why}. Nothing was sent. To approve it: ${next}`, { planId, next: [next] })
  }

  /** Formats the head of a batch. A dry run leaves out fields that the real batch would not share. */
  protected tellPlan(report: PlanReport, { isRehearsal = false } = {}): void {
    const { planId, state, source, sha256, note, rows, players, digest, madeBy, osUser, madeAt, approvals, creates } =
      report
    this.fields({
      ...(isRehearsal ? {} : { plan: planId }),
      state: isRehearsal ? 'validated, not created' : stateText(report),
      file: `${source} (SHA-256 ${sha256.slice(0, 12)}…)`,
      ...(note === null ? {} : { note }),
      rows: `${rows} for ${players} ${players === 1 ? 'player' : 'players'}${creates ? ', may create players' : ''}`,
      ...(isRehearsal
        ? { by: who(madeBy, osUser) }
        : {
            digest: digest.slice(0, 16),
            created: `${utcText(madeAt)} by ${who(madeBy, osUser)}`,
          }),
      ...(approvals.length === 0
        ? {}
        : {
            approved: approvals
              .map(
                ({ by, osUser, at, until, isOfThis, valid }) =>
                  `${utcText(at)} by ${who(by, osUser)}${isOfThis ? (valid ? '' : `, expired on ${until.slice(0, 10)}`) : ', for other content'}`,
              )
              .join('; '),
          }),
      ...(state === 'cancelled' ? { canceled: `by ${report.cancelledBy}` } : {}),
    })
    this.log()
    this.table([...report.totals], totalColumns)
  }
}

/** Returns the approvals that count for the rule. */
function validOf({ digest, approvals }: Pick<PlanReport, 'digest' | 'approvals'>): Approval[] {
  return approvals.flatMap(({ by, valid }) => (valid ? [{ nameKey: foldName(by), digest }] : []))
}
