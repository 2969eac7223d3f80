import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { jobFlags } from '../../src/cli/framework/job-flags.ts'
import {
  batchArg,
  runCompletes,
  runExits,
  runFiles,
  runFlags,
  runSchema,
} from '../../src/cli/topics/wallet/batch-flags.ts'

export default class WalletApply extends CountroomCommand {
  static override summary = 'Apply an approved batch of transfers'
  static override description = [
    'Every row is written to the book before it is sent, with its approved transfer ID, so it is carried out once however often you run this. Players are processed in parallel. The rows of one player keep their order; after a row with an unknown outcome, no more rows of that player are sent.',
    'On 429 responses the rate is reduced, and each request is tried up to --attempts times, with waits of up to 30 s. --deadline limits the whole run. The run stops after three rows in a row without a response, when the platform rejects all requests, or on a signal (requests in progress are finished). To continue, run "wallet resume".\n\nExits with 0 if all rows are done, 8 if some were rejected or not sent, 10 if the outcome of some is unknown. If none is done, the worst row decides.',
  ].join('\n\n')
  static override examples = [
    'countroom wallet apply 01JQ7Z6Y3V8T2M9K4H5N0B1C2D',
    {
      command: 'countroom wallet apply 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --profile house --out result.csv --deadline 50m',
      description: 'Write the results to a file, and stop before the next hour',
    },
    {
      command: 'countroom wallet apply 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --dry-run',
      description: 'Show it without sending anything',
    },
  ]
  static override writes = true
  static override exits = runExits
  static override files = runFiles
  static override completes = runCompletes
  static override args = batchArg
  static override flags = { ...runFlags, ...jobFlags }
  static override data = runSchema

  override async run() {
    const { args, flags } = await this.parse(WalletApply)
    const { applyBatch } = await import('../../src/cli/topics/wallet/run-batch.ts')
    return applyBatch(this, args.plan, flags)
  }
}
