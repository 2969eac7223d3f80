import type { BookTransferRow } from '../../../db/schema/book.ts'
import { planIdPattern } from '../../../domain/wallet/batch.ts'
import { usernameFault } from '../../../domain/wallet/transfer-faults.ts'
import { listTransfers, type TransferQuery } from '../../../operator/transfers/journal.ts'
import { parameterFault, refuseFaults } from '../../arguments/validate.ts'
import type { CommandContext } from '../../context/context.ts'
import type { Column } from '../../terminal/table.ts'

/** Parsed flags of `wallet journal`. */
interface JournalFlags {
  readonly state?: readonly string[] | undefined
  readonly user?: string | undefined
  readonly plan?: string | undefined
  readonly limit: number
  readonly csv?: boolean
  readonly columns?: string | undefined
}

/** Lists the transfers in the book, newest first. */
export async function showJournal(context: CommandContext, flags: JournalFlags) {
  refuseFaults([
    flags.user === undefined ? undefined : usernameFault(flags.user),
    parameterFault('plan', flags.plan !== undefined && !planIdPattern.test(flags.plan), '--plan must be a batch ID'),
  ])
  const query: TransferQuery = {
    // The parser accepts only these values.
    states: flags.state as BookTransferRow['state'][] | undefined,
    username: flags.user,
    planId: flags.plan,
    limit: flags.limit + 1,
  }
  const { rows, more } = context.upTo(flags.limit, await rowsInBook(context, query))
  const transfers = rows.map(transferView)
  const isForPrograms = flags.csv === true || flags.columns !== undefined
  const hasRefused = transfers.some(({ refusal }) => refusal !== null)
  context.table(transfers, columnsFor(isForPrograms, hasRefused), 'The book has no transfers.')
  return { transfers, more }
}

async function rowsInBook(context: CommandContext, query: TransferQuery): Promise<BookTransferRow[]> {
  const book = await context.services.bookIfThere()
  return book ? listTransfers(book, query) : []
}

function columnsFor(isForPrograms: boolean, hasRefused: boolean): Column[] {
  return [
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
    ...(hasRefused || isForPrograms ? [{ key: 'refusal' }] : []),
    ...(isForPrograms ? [{ key: 'balance' }, { key: 'attempts' }, { key: 'changedAt' }, { key: 'planId' }] : []),
  ]
}

function transferView(row: BookTransferRow) {
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
