import { confirmTotals } from '../../src/cli/context/confirm-money.ts'
import { bannerOf } from '../../src/cli/context/profile-banner.ts'
import { asFlag, bookFlag, dryRunFlag, totalsFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { planArg, WalletPlanCommand } from '../../src/cli/topics/wallet/batch-command.ts'
import { planFields } from '../../src/cli/topics/wallet/batch-view.ts'
import { foldName } from '../../src/domain/wallet/approval.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class WalletApprove extends WalletPlanCommand {
  static override summary = 'Approve a batch of transfers'
  static override description =
    'The approval covers exactly this batch: every row, its transfer ID, the file and its author. If the total exceeds the setting approvalAbove for its currency, or the currency has no limit there, a second person must approve. An approval expires after 7 days (setting approvalDays); after that the rest of the batch must be approved again. The approver is the user of this machine, or the name of --as or COUNTROOM_AS; both are recorded. On a live profile you type every total again, or pass --yes and --confirm-total for each currency.'
  static override examples = [
    'countroom wallet approve 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --as beth',
    {
      command:
        'countroom wallet approve 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --profile house --yes --confirm-total 1500.50:USD --confirm-total 900:EUR',
      description: 'Approve real money from a script',
    },
  ]
  static override exits = ['confirmation', 'not-found', 'conflict'] as const
  static override completes = { plan: 'plans', book: 'files' }
  static override args = planArg
  static override flags = { ...asFlag, ...bookFlag, ...dryRunFlag, ...totalsFlags }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      ...planFields(shapes),
      by: Type.String(),
      earlier: Type.Boolean({ description: 'True if this person had already approved it; nothing was changed.' }),
      dryRun: Type.Boolean(),
      next: Type.Array(Type.String()),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(WalletApprove)
    const by = this.person
    const { book } = await this.services.book()
    const kept = await this.keptPlan(book, args.plan)
    this.refuseElsewhere(kept.plan)
    const report = await this.reportOfKept(kept)
    const { planId, madeBy, moved, needsAnother, state } = report
    // A started batch cannot be approved again unless its approvals have expired.
    const isLapsed = state === 'begun' && !report.approvals.some(({ valid }) => valid)
    if (state === 'cancelled' || state === 'finished' || (state === 'begun' && !isLapsed))
      throw new Problem('CONFLICT', `Batch ${planId} is ${state} and cannot be approved`, {
        ...{ planId, state, remoteCode: null },
      })
    this.note(bannerOf(this.profile))
    const isMaker = foldName(by.name) === foldName(madeBy)
    if (needsAnother && isMaker)
      throw new Problem(
        'APPROVAL_NEEDED',
        `${madeBy} created batch ${planId}, and its total needs a second person (setting approvalAbove). Ask another person to approve it`,
        { planId, madeBy, approvalAbove: this.settings.settings.approvalAbove },
      )
    const key = foldName(by.name)
    const earlier = report.approvals.some((each) => each.valid && foldName(each.by) === key)
    const totals = moved.map(({ amount, currency }) => ({ amount, currency }))
    if (!earlier && !this.isDryRun) {
      if (this.screen.canAsk && !this.screen.isJson && !flags.yes) this.#show(report)
      await confirmTotals(
        this.prompts,
        this.profile,
        { order: `Approve ${report.rows} ${report.rows === 1 ? 'transfer' : 'transfers'}`, totals },
        flags,
      )
      const { approveWalletPlan } = await import('../../src/operator/transfers/batch-decisions.ts')
      await approveWalletPlan(book, kept, by)
    }
    const told = this.isDryRun ? report : await this.reportOfKept(await this.keptPlan(book, planId))
    const next = [this.next(state === 'begun' ? 'wallet resume' : 'wallet apply', planId)]
    this.tellPlan(told)
    if (this.isDryRun) this.footnote('Valid; nothing was approved.')
    else this.footnote(`${earlier ? 'Already approved' : 'Approved'} by ${by.name}. To apply it:\n  ${next[0]}`)
    if (isMaker && !this.isDryRun)
      this.warn(
        'The same person created and approved the batch. To require a second person above a limit, use the setting approvalAbove',
      )
    return { ...told, by: by.name, earlier, dryRun: this.isDryRun, next }
  }

  /** Prints the batch before the question: the regular output comes only after the run. */
  #show({
    rows,
    players,
    source,
    madeBy,
    madeAt,
    totals,
    note,
  }: import('../../src/cli/topics/wallet/batch-view.ts').PlanReport): void {
    const sums = totals.map(
      ({ currency, dir, rows, amount }) =>
        `  ${dir === 'in' ? 'deposits   ' : 'withdrawals'} ${amount} ${currency} in ${rows} ${rows === 1 ? 'row' : 'rows'}`,
    )
    this.note(
      [
        `${rows} ${rows === 1 ? 'transfer' : 'transfers'} for ${players} ${players === 1 ? 'player' : 'players'}, from ${source}, created ${madeAt} by ${madeBy}`,
        ...(note === null ? [] : [note]),
        ...sums,
      ].join('\n'),
    )
  }
}
