import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, approverFlags, attemptsFlag, bookFlag, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { shareFlags } from '../../src/cli/framework/rate-share-flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { batchFields, batchFiles, batchRowSchema } from '../../src/cli/topics/wallet/batch-flags.ts'

export default class WalletPlan extends CountroomCommand {
  static override summary = 'Create a batch of transfers from a file, without sending it'
  static override description = [
    'The file is CSV with a header (username, amount, currency and optionally dir, txnId, note), a JSON list of such objects, or one object per line. Without dir, a negative amount is a withdrawal, unless --dir sets the direction of all rows. The separator can be a comma, semicolon or tab.',
    'Every player is looked up: the name, the currency, and whether withdrawals are covered, in the order of the file. All errors of the file, of the book and of the platform are reported at once, with line numbers. A batch is created only if there is no error. It is stored in the book with a transfer ID for every row, so each row is one transfer, however often it is applied. With --id the transfer IDs are derived from your own ID.',
    'A file whose transfers are already in a batch is rejected, even if it was saved again or sorted; to repeat it, pass --again. Next steps: "wallet approve" and "wallet apply".',
  ].join('\n\n')
  static override examples = [
    'countroom wallet plan payday.csv --profile house',
    { command: 'countroom wallet plan payday.csv --dry-run', description: 'Validate the file only' },
    {
      command: 'countroom wallet plan bonus.csv --dir in --currency USD --note "Spring bonus"',
      description: 'Use a file with names and amounts only',
    },
    { command: 'countroom wallet plan - --create --json', description: 'Read stdin, and create missing players' },
  ]
  static override writes = true
  static override exits = ['permission', 'not-found', 'conflict', 'temporary', 'stopped'] as const
  static override files = batchFiles
  static override completes = { file: 'files', book: 'files', 'passphrase-file': 'files' }
  static override args = {
    file: Args.string({ required: true, description: 'File with the transfers, or - for stdin' }),
  }
  static override flags = {
    dir: Flags.string({ summary: 'Direction of all rows: in (deposit) or out (withdrawal)', options: ['in', 'out'] }),
    currency: Flags.string({ summary: 'Currency of all rows', helpValue: 'CUR' }),
    create: Flags.boolean({ summary: 'Create players that do not exist' }),
    'allow-duplicates': Flags.boolean({
      aliases: ['repeats'],
      summary: 'Allow rows with the same player, direction and amount',
    }),
    again: Flags.boolean({ summary: 'Allow transfers that are already in another batch' }),
    id: Flags.string({ summary: 'Batch ID, used once (default: generated)', helpValue: 'ID' }),
    note: Flags.string({ summary: 'Purpose of the batch', helpValue: 'TEXT' }),
    ...approverFlags,
    ...attemptsFlag,
    ...shareFlags,
    ...bookFlag,
    ...dryRunFlag,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    const [{ planId, digest, madeAt, ...fields }, row] = [batchFields(shapes), batchRowSchema(shapes)]
    const { txnId, ...cells } = row.properties
    const dryRunNull = { description: 'Null in a dry run without --id, because it is derived from the ID.' }
    return Type.Object({
      ...fields,
      planId: Type.Union([planId, Type.Null()], { description: 'Null in a dry run.' }),
      digest: Type.Union([digest, Type.Null()], dryRunNull),
      madeAt: Type.Union([madeAt, Type.Null()], { description: 'Null in a dry run.' }),
      transfers: Type.Array(Type.Object({ ...cells, txnId: Type.Union([txnId, Type.Null()], dryRunNull) })),
      newPlayers: Type.Array(Type.String(), { description: 'Players that the deposits would create.' }),
      dryRun: Type.Boolean(),
      next: Type.Array(Type.String()),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(WalletPlan)
    const { createBatch } = await import('../../src/cli/topics/wallet/create-batch.ts')
    return createBatch(this, args.file, flags)
  }
}
