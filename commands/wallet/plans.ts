import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, bookFlag, Flags, listFlags, moreThere } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { batchFields, batchFiles, batchRowSchema } from '../../src/cli/topics/wallet/batch-flags.ts'

export default class WalletPlans extends CountroomCommand {
  static override summary = 'List the transfer batches in the book, or show one with its rows'
  static override description =
    'Reads the book only. For one batch, --csv and --jsonl print its rows; --out writes the rows with their outcomes as CSV, at any time.'
  static override examples = [
    'countroom wallet plans',
    'countroom wallet plans 01JQ7Z6Y3V8T2M9K4H5N0B1C2D',
    {
      command: 'countroom wallet plans 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --out result.csv',
      description: 'Export the outcome of each row',
    },
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override files = batchFiles
  static override completes = { plan: 'plans', book: 'files', out: 'files' }
  static override args = { plan: Args.string({ description: 'Batch ID (default: list all)' }) }
  static override flags = {
    limit: Flags.integer({ summary: 'Maximum number of batches', default: 20, min: 1, max: 1_000, helpValue: 'N' }),
    out: Flags.string({ summary: 'CSV file to write the rows of the batch to', helpValue: 'FILE.csv' }),
    force: Flags.boolean({ summary: 'Overwrite an existing --out file' }),
    ...bookFlag,
    ...listFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      plans: Type.Array(Type.Object(batchFields(shapes))),
      transfers: Type.Array(batchRowSchema(shapes), { description: 'Rows of the batch, if one is named.' }),
      more: Type.Boolean(moreThere),
      out: Type.Union([Type.String(), Type.Null()]),
    })
  }

  /** With a batch named, the list is its rows. */
  protected override get listName() {
    return this.parsedArgs['plan'] === undefined ? 'plans' : 'transfers'
  }

  override async run() {
    const { args, flags } = await this.parse(WalletPlans)
    const { showBatches } = await import('../../src/cli/topics/wallet/show-batches.ts')
    return showBatches(this, args.plan, flags)
  }
}
