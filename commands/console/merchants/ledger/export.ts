import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { Flags } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { merchantFlags } from '../../../../src/cli/topics/console/merchant.ts'

export default class ConsoleMerchantsLedgerExport extends CountroomCommand {
  static override summary = 'Export the ledger of a merchant as CSV, with a proof that it balances'
  static override description = [
    'Writes the opening balances, every posting that moves money of the merchant with both sides, the closing balances, and a sum per currency, which is 0. Postings are in the order of time. For accounts outside the merchant (chain, network, exchange, fees) only the part of the merchant is included. Days are in UTC.',
    'The whole ledger is read and compared with the stored balances. If it does not balance, the file is still written and the command exits with 9.',
  ].join('\n\n')
  static override examples = [
    'countroom console merchants ledger export --out ledger.csv',
    {
      command:
        'countroom console merchants ledger export --from 2026-03-01 --to 2026-03-31 --out march.csv --environment sandbox',
      description: 'Export a month',
    },
  ]
  static override exits = ['not-found', 'conflict', 'differences'] as const
  static override files = [
    '--out: written atomically; an existing file only with --force. A folder, or {date} in the name, gives a new name per day',
  ]
  static override completes = { out: 'files' }
  static override flags = {
    out: Flags.string({ summary: 'CSV file to write', required: true, helpValue: 'FILE.csv' }),
    from: Flags.string({ summary: 'Postings on or after this day or time', helpValue: 'DATE' }),
    to: Flags.string({ summary: 'Postings on or before this day or time', helpValue: 'DATE' }),
    force: Flags.boolean({ summary: 'Overwrite an existing file' }),
    ...merchantFlags,
  }
  static override data = ({ Type }: Shapes) => {
    const account = Type.Object({
      account: Type.String({ description: 'Kind of the account.' }),
      owner: Type.String(),
      currency: Type.String(),
      isOutside: Type.Boolean({ description: 'True for an account that is not of the merchant.' }),
      opening: Type.String(),
      added: Type.String(),
      taken: Type.String(),
      closing: Type.String(),
    })
    const fault = Type.Object({
      kind: Type.Enum(['posting', 'opening', 'closing', 'balance']),
      subject: Type.String(),
      currency: Type.String(),
      units: Type.String(),
      ref: Type.Union([Type.String(), Type.Null()]),
      message: Type.String(),
    })
    return Type.Object({
      file: Type.String(),
      merchant: Type.String(),
      from: Type.Union([Type.String(), Type.Null()]),
      to: Type.String(),
      postings: Type.Integer(),
      entries: Type.Integer(),
      bytes: Type.Integer(),
      sha256: Type.String(),
      balanced: Type.Boolean(),
      accounts: Type.Array(account),
      faults: Type.Array(fault),
    })
  }

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsLedgerExport)
    const { exportLedger } = await import('../../../../src/cli/topics/merchants/ledger.ts')
    return exportLedger(this, flags)
  }
}
