import { bannerOf } from '../../src/cli/context/profile-banner.ts'
import { asFlag, bookFlag, dangerFlags, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { planArg, WalletPlanCommand } from '../../src/cli/topics/wallet/batch-command.ts'
import { planFields } from '../../src/cli/topics/wallet/batch-view.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class WalletCancel extends WalletPlanCommand {
  static override summary = 'Cancel the unsent transfers of a batch'
  static override description =
    'Finished transfers stay. Unsent rows will never be sent, and their transfer IDs can be used again. A batch with rows of unknown outcome cannot be canceled: run "wallet resume" first.'
  static override examples = ['countroom wallet cancel 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --yes']
  static override exits = ['confirmation', 'not-found', 'conflict', 'locked'] as const
  static override completes = { plan: 'plans', book: 'files' }
  static override args = planArg
  static override flags = {
    wait: Flags.string({ summary: 'Wait up to this long for a concurrent run to finish', helpValue: 'DURATION' }),
    ...asFlag,
    ...bookFlag,
    ...dangerFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      ...planFields(shapes),
      earlier: Type.Boolean({ description: 'True if it was canceled before.' }),
      dryRun: Type.Boolean(),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(WalletCancel)
    const by = this.person
    const { book, url } = await this.services.book()
    await this.lock(book, url, flags.wait)
    const kept = await this.keptPlan(book, args.plan)
    this.refuseElsewhere(kept.plan)
    const report = await this.reportOfKept(kept)
    const { planId, state, unknown, left, done } = report
    this.note(bannerOf(this.profile))
    if (state === 'cancelled') {
      this.tellPlan(report)
      return { ...report, earlier: true, dryRun: this.isDryRun }
    }
    if (unknown > 0)
      throw new Problem(
        'CONFLICT',
        `The outcome of ${unknown === 1 ? '1 row' : `${unknown} rows`} is unknown. First run: ${this.next('wallet resume', planId)}`,
        { planId, unknown, remoteCode: null },
      )
    if (state === 'finished')
      throw new Problem('CONFLICT', `Batch ${planId} is finished: nothing is left to cancel`, {
        ...{ planId, remoteCode: null },
      })
    if (!this.isDryRun) {
      await this.confirmDanger(
        `Cancel batch ${planId}: ${left} of ${report.rows} ${report.rows === 1 ? 'transfer' : 'transfers'} will not be sent`,
      )
      const { cancelWalletPlan } = await import('../../src/operator/transfers/batch-decisions.ts')
      await cancelWalletPlan(book, kept, by)
    }
    const told = this.isDryRun ? report : await this.reportOfKept(await this.keptPlan(book, planId))
    this.tellPlan(told)
    const saved = `${left} ${left === 1 ? 'transfer' : 'transfers'} ${this.isDryRun ? 'would' : 'will'} not be sent${done > 0 ? `, ${done} already done` : ''}`
    this.footnote(`${this.isDryRun ? 'Valid; nothing was canceled' : 'Canceled'}: ${saved}.`)
    return { ...told, earlier: false, dryRun: this.isDryRun }
  }
}
