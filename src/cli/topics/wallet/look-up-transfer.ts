import type { BookTransferRow } from '../../../db/schema/book.ts'
import { txnFault, usernameFault } from '../../../domain/wallet/transfer-faults.ts'
import { realSleep } from '../../../http/client/sleep.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import { transferOf } from '../../../operator/transfers/journal.ts'
import { resolveTransfer } from '../../../operator/transfers/transfer.ts'
import { openBookIfThere } from '../../../world/clients/book-location.ts'
import { attemptsOf } from '../../../world/config/http-options.ts'
import { refuseFaults } from '../../arguments/validate.ts'
import type { CommandContext } from '../../context/context.ts'
import { targetFlags } from '../../context/suggested-command.ts'
import { typedCommand } from '../../framework/shell-quote.ts'

/** Looks up a transfer at the platform, and saves its state if the book has it. */
export async function lookUpTransfer(context: CommandContext, txnId: string, username: string | undefined) {
  refuseFaults([txnFault(txnId), username === undefined ? undefined : usernameFault(username)])
  const { settings, profile, stop } = context
  const { casinoAccess, casinoTransport: transport, platformNow } = await context.services.casino()
  const book = await openBookIfThere(settings, profile, casinoAccess)
  if (book) context.closeLater(() => book.close())
  const retryOptions = { sleep: realSleep, random: Math.random, now: Date.now, ...attemptsOf(settings) }
  try {
    const { record, row, isOurs } = await resolveTransfer(
      { book, transport, retryOptions, platformNow, stop },
      { txnId, username },
    )
    if (row && !isOurs) reportOther(context, row)
    // The platform finds any transfer, whichever player is named.
    if (username !== undefined && record.username !== username)
      context.warn(`The player of ${txnId} is ${record.username}, not ${username}`)
    context.fields(record, ['txnId', 'username', 'dir', 'amount', 'status', 'balance', 'at'])
    return { ...record, ours: isOurs }
  } catch (error) {
    if (!isProblem(error, 'TXN_NOT_FOUND')) throw error
    throw explained(context, error, book && (await transferOf(book, txnId)))
  }
}

function reportOther(context: CommandContext, row: BookTransferRow): void {
  context.endWith(
    'DIFFERENCES',
    `The book has ${row.txn_id} as the ${transferText(row)}; the casino has a different transfer with this ID`,
    { txnId: row.txn_id, username: row.username, dir: row.dir, amount: row.amount, currency: row.currency },
  )
}

/** Explains "not found" with the state in the book, and names the next command. */
function explained(context: CommandContext, problem: Problem, row: BookTransferRow | undefined): Problem {
  if (row === undefined) return problem
  const transfer = transferText(row)
  const detail = { ...problem.detail, state: row.state, username: row.username, refusal: row.refusal }
  const notFound = (explanation: string, next: readonly string[] = []) =>
    new Problem(
      'TXN_NOT_FOUND',
      `The casino has no transfer ${row.txn_id} (${transfer}). ${explanation}`,
      { ...detail, next },
      { cause: problem },
    )
  if (row.state === 'done')
    return new Problem(
      'DIFFERENCES',
      `The book has ${row.txn_id} (${transfer}) as done, but the casino has no such transfer`,
      detail,
    )
  if (row.state === 'refused') return notFound(`It was rejected with ${row.refusal}`)
  const again = typedCommand(
    row.dir === 'in' ? 'wallet deposit' : 'wallet withdraw',
    [row.username, row.amount, row.currency],
    { txn: row.txn_id, ...targetFlags(context.settings) },
  )
  return notFound(`It was not carried out or is still in progress. To finish it: ${again}`, [again])
}

const transferText = ({ dir, amount, currency, username }: BookTransferRow): string =>
  `${dir === 'in' ? 'deposit' : 'withdrawal'} of ${amount} ${currency}, player ${username}`
