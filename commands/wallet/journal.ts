import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags, listFlags, moreThere } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'

const states = ['new', 'unknown', 'done', 'refused'] as const

export default class WalletJournal extends CountroomCommand {
  static override summary = 'List the transfers in the book, newest first'
  static override description =
    'Reads the book only. State "new" was never sent. State "unknown" may have been carried out: look it up with "countroom wallet transfer TXN", or finish it with the same command and --txn.'
  static override examples = [
    'countroom wallet journal',
    { command: 'countroom wallet journal --state unknown', description: 'List transfers with unknown outcome' },
    'countroom wallet journal --user amy --csv',
    {
      command: 'countroom wallet journal --plan 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --limit 5000',
      description: 'List the transfers of a batch',
    },
  ]
  static override files = ['the book (COUNTROOM_BOOK), if it exists']
  static override completes = { plan: 'plans', book: 'files' }
  static override flags = {
    state: Flags.string({ summary: 'Transfers in this state only (repeatable)', options: [...states], multiple: true }),
    user: Flags.string({ summary: 'Transfers of this player only', helpValue: 'USER' }),
    plan: Flags.string({ summary: 'Transfers of this batch only', helpValue: 'PLAN' }),
    limit: Flags.integer({ summary: 'Maximum number of results', default: 50, min: 1, max: 100_000, helpValue: 'N' }),
    ...bookFlag,
    ...listFlags,
  }
  static override data = ({ Type }: Shapes) => {
    const text = Type.Union([Type.String(), Type.Null()])
    const transfer = Type.Object({
      txnId: Type.String(),
      username: Type.String(),
      dir: Type.Enum(['in', 'out']),
      amount: Type.String(),
      currency: Type.String(),
      state: Type.Enum([...states]),
      balance: text,
      refusal: text,
      attempts: Type.Integer(),
      madeAt: Type.String(),
      changedAt: Type.String(),
      planId: Type.Union([Type.String(), Type.Null()], { description: 'ID of the batch the transfer belongs to.' }),
    })
    return Type.Object({ transfers: Type.Array(transfer), more: Type.Boolean(moreThere) })
  }

  override async run() {
    const { flags } = await this.parse(WalletJournal)
    const { showJournal } = await import('../../src/cli/topics/wallet/show-journal.ts')
    return showJournal(this, flags)
  }
}
