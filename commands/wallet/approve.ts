import { confirmTotals } from '../../src/cli/framework/confirm-money.ts'
import { asFlag, dryRunFlag, totalsFlags } from '../../src/cli/framework/flags.ts'
import { bannerOf } from '../../src/cli/framework/profile-banner.ts'
import { planArg, WalletPlanCommand } from '../../src/cli/topics/wallet/batch-command.ts'
import { planFields } from '../../src/cli/topics/wallet/batch-view.ts'
import { bookFlag } from '../../src/cli/topics/wallet/transfer-command.ts'
import { foldName } from '../../src/domain/wallet/approval.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class WalletApprove extends WalletPlanCommand {
  static override summary = 'Approve a plan of many transfers, so that it may be applied'
  static override description =
    'The second pair of eyes. The yes is to exactly this plan: to every row, its txnId, the file and who made it. Above the limit of the setting approvalAbove, by currency and over all rows, it has to be somebody else than who made the plan; a currency that the limits do not name needs somebody else always. A yes holds for the days of the setting approvalDays (7 unless set); then the plan, begun or not, has to be approved anew before anything more of it is sent. Who approves is the user of this machine, or the name given by --as or COUNTROOM_AS; both are kept. On a live profile every total is typed again, or said by --yes and --confirm-total once for each currency.'
  static override examples = [
    'countroom wallet approve 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --as beth',
    {
      command:
        'countroom wallet approve 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --profile house --yes --confirm-total 1500.50:USD --confirm-total 900:EUR',
      description: 'Real money, in a script',
    },
  ]
  static override exits = ['confirmation', 'not-found', 'conflict'] as const
  static override completes = { plan: 'plans', book: 'files' }
  static override args = planArg
  static override flags = { ...asFlag, ...bookFlag, ...dryRunFlag, ...totalsFlags }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({
      ...(await planFields()),
      by: Type.String(),
      earlier: Type.Boolean({ description: 'This person had approved it before; nothing was changed' }),
      dryRun: Type.Boolean(),
      next: Type.Array(Type.String()),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(WalletApprove)
    const by = this.person
    const { book } = await this.bookThere()
    const kept = await this.keptPlan(book, args.plan)
    this.refuseElsewhere(kept.plan)
    const report = await this.reportOfKept(kept)
    const { planId, madeBy, moved, needsAnother, state } = report
    // One that was begun can only be gone on with, unless nobody's yes holds any more.
    const isLapsed = state === 'begun' && !report.approvals.some(({ valid }) => valid)
    if (state === 'cancelled' || state === 'finished' || (state === 'begun' && !isLapsed))
      throw new Problem('CONFLICT', `The plan ${planId} was ${state}: it can no longer be approved`, {
        ...{ planId, state, remoteCode: null },
      })
    this.note(bannerOf(this.profile))
    const isMaker = foldName(by.name) === foldName(madeBy)
    if (needsAnother && isMaker)
      throw new Problem(
        'APPROVAL_NEEDED',
        `${madeBy} made the plan ${planId}, and it moves more than approvalAbove lets one person decide: somebody else has to approve it`,
        { planId, madeBy, approvalAbove: this.settings.settings.approvalAbove },
      )
    const key = foldName(by.name)
    const earlier = report.approvals.some((each) => each.valid && foldName(each.by) === key)
    const totals = moved.map(({ amount, currency }) => ({ amount, currency }))
    if (!earlier && !this.isDryRun) {
      if (this.screen.canAsk && !this.screen.isJson && !flags.yes) this.#show(report)
      await confirmTotals(this.prompts, this.profile, { order: `Approve ${report.rows} transfers`, totals }, flags)
      const { approveWalletPlan } = await import('../../src/operator/transfers/batch-decisions.ts')
      await approveWalletPlan(book, kept, by)
    }
    const told = this.isDryRun ? report : await this.reportOfKept(await this.keptPlan(book, planId))
    const next = [this.next(state === 'begun' ? 'wallet resume' : 'wallet apply', planId)]
    this.tellPlan(told)
    if (this.isDryRun) this.footnote('Checked; nothing was approved.')
    else
      this.footnote(
        `${earlier ? 'Approved before this' : 'Approved'} by ${by.name}. It is carried out by\n  ${next[0]}`,
      )
    if (isMaker && !this.isDryRun)
      this.warn(
        'The same person made and approved it; the setting approvalAbove says above which sums another is needed',
      )
    return { ...told, by: by.name, earlier, dryRun: this.isDryRun, next }
  }

  /** What is about to be approved, before it is asked: the result for people comes only after the run. */
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
        `  ${dir === 'in' ? 'deposits   ' : 'withdrawals'} ${amount} ${currency} in ${rows} rows`,
    )
    this.note(
      [
        `${rows} transfers for ${players} players, from ${source}, made ${madeAt} by ${madeBy}`,
        ...(note === null ? [] : [note]),
        ...sums,
      ].join('\n'),
    )
  }
}
