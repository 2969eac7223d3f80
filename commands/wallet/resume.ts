import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args } from '../../src/cli/framework/flags.ts'
import { jobFlags } from '../../src/cli/framework/job-flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { runCompletes, runExits, runFiles, runFlags, runSchema } from '../../src/cli/topics/wallet/batch-flags.ts'

export default class WalletResume extends CountroomCommand {
  static override summary = 'Resume an unfinished batch of transfers'
  static override description =
    'Rows with an unknown outcome are looked up first. Those the platform has are done; the others are sent again with their transfer ID, so nothing is done twice. Then the unsent rows are sent. Rejected rows are skipped without --retry-refused. Without an argument, resumes the only unfinished batch; if there are several, they are listed.'
  static override examples = [
    'countroom wallet resume',
    {
      command: 'countroom wallet resume 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --retry-refused',
      description: 'Retry rejected rows too',
    },
  ]
  static override writes = true
  static override exits = runExits
  static override files = runFiles
  static override completes = runCompletes
  static override args = { plan: Args.string({ description: 'Batch ID (default: the only unfinished batch)' }) }
  static override flags = { ...runFlags, ...jobFlags }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    const { properties } = runSchema(shapes)
    const { planId, doneNow, transfers, ...rest } = properties
    return Type.Object({
      ...Type.Partial(Type.Object(rest)).properties,
      planId: Type.Union([planId, Type.Null()], { description: 'Null if there was nothing to resume.' }),
      doneNow,
      transfers,
    })
  }

  override async run() {
    const { args, flags } = await this.parse(WalletResume)
    const { resumeBatch } = await import('../../src/cli/topics/wallet/run-batch.ts')
    return resumeBatch(this, args.plan, flags)
  }
}
