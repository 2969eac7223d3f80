import { parameterFault, refuseFaults, usernameFault } from '../../src/cli/arguments/validate.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags, listFlags, moreThere } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import type { BookTransferRow } from '../../src/db/schema/book.ts'
import { planIdPattern } from '../../src/domain/wallet/batch.ts'

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
    refuseFaults([
      flags.user === undefined ? undefined : usernameFault(flags.user),
      parameterFault('plan', flags.plan !== undefined && !planIdPattern.test(flags.plan), '--plan must be a batch ID'),
    ])
    const states = flags.state as BookTransferRow['state'][] | undefined
    const { rows, more } = this.upTo(flags.limit, await this.#rows({ states, ...flags, limit: flags.limit + 1 }))
    const transfers = rows.map(toEntry)
    const isRefused = transfers.some(({ refusal }) => refusal !== null)
    this.table(
      transfers,
      [
        {
          key: 'madeAt',
          title: 'created (UTC)',
          whole: true,
          show: (at) => String(at).slice(0, 16).replace('T', ' '),
        },
        { key: 'txnId', whole: true },
        { key: 'username', title: 'player' },
        { key: 'dir' },
        { key: 'amount', kind: 'amount' },
        { key: 'currency', title: 'cur' },
        { key: 'state', tint: (state) => (state === 'unknown' ? 'red' : state === 'done' ? 'green' : undefined) },
        // Most lists have none; the columns for programs are always the same.
        ...(isRefused || flags.csv || flags.columns !== undefined ? [{ key: 'refusal' }] : []),
        ...(flags.csv || flags.columns !== undefined
          ? [{ key: 'balance' }, { key: 'attempts' }, { key: 'changedAt' }, { key: 'planId' }]
          : []),
      ],
      'The book has no transfers.',
    )
    return { transfers, more }
  }

  async #rows(query: {
    states: BookTransferRow['state'][] | undefined
    user?: string | undefined
    plan?: string | undefined
    limit: number
  }) {
    const [{ bookUrlOf, isBookThere }, { openBook }, { listTransfers }] = await Promise.all([
      import('../../src/world/clients/book-location.ts'),
      import('../../src/operator/book/book.ts'),
      import('../../src/operator/transfers/journal.ts'),
    ])
    if (!isBookThere(this.settings, this.profile)) return []
    const book = await openBook(bookUrlOf(this.settings, this.profile))
    this.closeLater(() => book.close())
    return listTransfers(book, {
      states: query.states,
      username: query.user,
      planId: query.plan,
      limit: query.limit,
    })
  }
}

function toEntry(row: BookTransferRow) {
  return {
    txnId: row.txn_id,
    username: row.username,
    dir: row.dir,
    amount: row.amount,
    currency: row.currency,
    state: row.state,
    balance: row.balance,
    refusal: row.refusal,
    attempts: row.attempts,
    madeAt: new Date(row.made_at).toISOString(),
    changedAt: new Date(row.changed_at).toISOString(),
    planId: row.plan_id,
  }
}
