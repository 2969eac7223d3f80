import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { asFlag, bookFlag, dangerFlags, waitFlag } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { batchArg, batchFields, batchFiles } from '../../src/cli/topics/wallet/batch-flags.ts'

export default class WalletCancel extends CountroomCommand {
  static override summary = 'Cancel the unsent transfers of a batch'
  static override description =
    'Finished transfers stay. Unsent rows will never be sent, and their transfer IDs can be used again. A batch with rows of unknown outcome cannot be canceled: run "wallet resume" first.'
  static override examples = ['countroom wallet cancel 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --yes']
  static override audits = true
  static override exits = ['confirmation', 'not-found', 'conflict', 'locked'] as const
  static override files = batchFiles
  static override completes = { plan: 'plans', book: 'files' }
  static override args = batchArg
  static override flags = {
    ...waitFlag,
    ...asFlag,
    ...bookFlag,
    ...dangerFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      ...batchFields(shapes),
      earlier: Type.Boolean({ description: 'True if it was canceled before.' }),
      dryRun: Type.Boolean(),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(WalletCancel)
    const { cancelBatch } = await import('../../src/cli/topics/wallet/cancel-batch.ts')
    return cancelBatch(this, args.plan, flags.wait)
  }
}
