import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { approverFlags, bookFlag, dryRunFlag, totalsFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { batchArg, batchFields, batchFiles } from '../../src/cli/topics/wallet/batch-flags.ts'

export default class WalletApprove extends CountroomCommand {
  static override summary = 'Approve a batch of transfers'
  static override description = [
    'The approval covers exactly this batch: every row, its transfer ID, the file and its author. It expires after 7 days (setting approvalDays); after that, the rest of the batch must be approved again.',
    'If the total exceeds the setting approvalAbove for its currency, or the currency has no limit there, a second person must approve. The person is the user of this machine, or the approver whose passphrase is given ("approvers add"); --as alone changes nothing.',
    'On a live profile you type every total again, or pass --yes and --confirm-total for each currency.',
  ].join('\n\n')
  static override examples = [
    'countroom wallet approve 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --as beth --passphrase-file beth.txt',
    {
      command:
        'countroom wallet approve 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --profile house --yes --confirm-total 1500.50:USD --confirm-total 900:EUR',
      description: 'Approve real money from a script',
    },
  ]
  static override audits = true
  static override exits = ['confirmation', 'permission', 'not-found', 'conflict'] as const
  static override files = batchFiles
  static override completes = { plan: 'plans', book: 'files', 'passphrase-file': 'files' }
  static override args = batchArg
  static override flags = { ...approverFlags, ...bookFlag, ...dryRunFlag, ...totalsFlags }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      ...batchFields(shapes),
      by: Type.String(),
      earlier: Type.Boolean({ description: 'True if this person had already approved it; nothing was changed.' }),
      dryRun: Type.Boolean(),
      next: Type.Array(Type.String()),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(WalletApprove)
    const { approveBatch } = await import('../../src/cli/topics/wallet/approve-batch.ts')
    return approveBatch(this, args.plan, flags)
  }
}
