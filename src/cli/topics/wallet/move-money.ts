import { parseUnits, playerScale } from '../../../domain/money.ts'
import { amountFault, currencyFault, txnFault, usernameFault } from '../../../domain/wallet/transfer-faults.ts'
import { realSleep } from '../../../http/client/sleep.ts'
import { realAmbient } from '../../../kit/ambient.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Book } from '../../../operator/book/book.ts'
import { findTransferFor, normalized, type TransferInput } from '../../../operator/transfers/journal.ts'
import { type Transferred, transfer } from '../../../operator/transfers/transfer.ts'
import type { Player } from '../../../services/casino/api/schemas/index.ts'
import { isBookThere, openBookOf } from '../../../world/clients/book-location.ts'
import type { Clients } from '../../../world/clients/casino.ts'
import { attemptsOf } from '../../../world/config/http-options.ts'
import { findPlayer, noPlayer } from '../../arguments/player.ts'
import { refuseFaults } from '../../arguments/validate.ts'
import type { CommandContext } from '../../context/context.ts'
import { type PlannedRequest, plannedRequest, plannedText } from '../../outcome/dry-run.ts'
import { retryText } from '../../outcome/request-log.ts'
import { lookUpCommand, refuseAboveLimit, transferProblem, transferText } from './transfer-problems.ts'

/** A transfer as typed. */
interface TypedTransfer {
  readonly user: string
  readonly amount: string
  readonly currency: string
  readonly txn: string | undefined
  /** True if a deposit may create the player. */
  readonly create: boolean
}

/** A transfer of this run: what is to be sent, and how. */
interface Move {
  readonly context: CommandContext
  readonly clients: Clients
  readonly input: TransferInput
  readonly create: boolean
  /** Opens the book, once. */
  readonly openBook: () => Promise<Book>
}

/** The `data` of the command. */
export interface TransferReport {
  readonly txnId: string | null
  readonly username: string
  readonly dir: 'in' | 'out'
  readonly amount: string
  readonly currency: string
  readonly status: 'done' | null
  readonly balance: string | null
  readonly duplicate: boolean | null
  readonly created: boolean
  readonly knownBy: 'reply' | 'look-up' | null
  readonly attempts: number
  readonly dryRun: boolean
  readonly request: PlannedRequest | null
}

/**
 * Deposits (`in`) or withdraws (`out`) money. Checks before anything is sent, writes to the book before sending, and always
 * ends with a result or with the command that finds it.
 */
export async function moveMoney(
  context: CommandContext,
  dir: 'in' | 'out',
  typed: TypedTransfer,
): Promise<TransferReport> {
  const { user, amount, currency, txn, create } = typed
  refuseFaults([usernameFault(user), amountFault(amount), currencyFault(currency), txnFault(txn)])
  const clients = await context.services.casino()
  const input = normalized({ txnId: txn ?? realAmbient().id(), username: user, dir, amount, currency })
  const move: Move = { context, clients, input, create, openBook: bookOpener(context, clients) }
  const known = txn === undefined ? undefined : await knownTransfer(move)
  if (known?.state === 'done') return send(move, undefined)
  if (known === undefined) refuseAboveLimit(context, input)
  const player = await checkedPlayer(move)
  if (context.isDryRun) return showPlanned(move, player, txn)
  await context.confirmMoney({
    action: transferText(input, player?.username ?? user),
    amount: input.amount,
    currency: input.currency,
    player: player?.username ?? user,
  })
  return send(move, player)
}

function bookOpener(context: CommandContext, { casinoAccess }: Clients): () => Promise<Book> {
  const open = async () => {
    const book = await openBookOf(context.settings, context.profile, casinoAccess)
    context.closeLater(() => book.close())
    return book
  }
  let opened: Promise<Book> | undefined
  return () => {
    opened ??= open()
    return opened
  }
}

/** Returns what the book has under a given txnId. A dry run does not create the book. */
async function knownTransfer({ context, input, openBook }: Move) {
  if (context.isDryRun && !isBookThere(context.settings, context.profile)) return undefined
  return findTransferFor(await openBook(), input)
}

/** Returns the player. The platform would create one for a deposit to a mistyped name, so that needs --create. */
async function checkedPlayer({ context, clients, input, create, openBook }: Move): Promise<Player | undefined> {
  const { username, currency, dir } = input
  const { paths } = context.settings
  // The book is opened before any request: a transfer that cannot be recorded is not sent.
  if (!context.isDryRun) await openBook()
  const player = await findPlayer(clients.casino, paths, username)
  if (player === undefined) {
    if (dir === 'in' && create) return undefined
    throw noPlayer(paths, username, dir === 'in' ? 'To create the player, add --create' : '')
  }
  if (player.currency.toUpperCase() !== currency)
    throw new Problem(
      'CURRENCY_MISMATCH',
      `${player.username} has the currency ${player.currency}, not ${currency}. Nothing was sent`,
      { username: player.username, currency: player.currency, remoteCode: null },
    )
  return player
}

/** Shows the request of a dry run. Without `--txn`, the ID of the transfer does not exist yet. */
function showPlanned(move: Move, player: Player | undefined, txn: string | undefined): TransferReport {
  const { context, input } = move
  const { username, dir, amount, currency } = input
  const request = plannedRequest(dir === 'in' ? 'deposit' : 'withdraw', {
    body: { username, txnId: txn === undefined ? '(generated before sending)' : input.txnId, amount, currency },
  })
  context.log(plannedText(request))
  context.footnote(`Valid; nothing was sent. Without --dry-run: ${transferText(input, player?.username ?? username)}.`)
  if (player && dir === 'out') warnIfShort(context, player, amount)
  return reportOf(move, { created: player === undefined, txnId: txn ?? null, request })
}

function warnIfShort(context: CommandContext, { balance, currency }: Player, amount: string): void {
  if (parseUnits(amount, playerScale) > parseUnits(balance, playerScale))
    context.warn(`The balance is ${balance} ${currency}; the platform would reject this withdrawal`)
}

async function send(move: Move, player: Player | undefined): Promise<TransferReport> {
  const { context, clients, input, create, openBook } = move
  const end = await transfer(
    {
      book: await openBook(),
      transport: clients.casinoTransport,
      retryOptions: {
        sleep: realSleep,
        random: Math.random,
        now: Date.now,
        ...attemptsOf(context.settings),
        observe: (retry) => context.note(retryText(retry)),
      },
      platformNow: clients.platformNow,
      stop: context.stop,
    },
    input,
  )
  if (end.kind !== 'done') throw transferProblem(context, end, input, create)
  if (end.unrecorded)
    context.warn(
      `Done, but the result could not be saved in the book (${end.unrecorded.code}). To save it: ${lookUpCommand(context, input)}`,
    )
  const created = player === undefined && create && !end.isEarlier
  showDone(context, end, input, player?.username ?? input.username)
  if (created) context.footnote(`Created player ${input.username}.`)
  return reportOf(move, {
    txnId: input.txnId,
    username: player?.username ?? end.row.username,
    created,
    status: 'done',
    balance: end.balance,
    duplicate: end.duplicate,
    knownBy: end.knownBy,
    attempts: end.row.attempts,
  })
}

function showDone(
  context: CommandContext,
  end: Extract<Transferred, { kind: 'done' }>,
  { txnId, dir, currency }: TransferInput,
  player: string,
): void {
  const { amount } = end.row
  const money = `${amount} ${currency}`
  const done = dir === 'in' ? `Deposited ${money} to ${player}` : `Withdrew ${money} from ${player}`
  context.note(`${done}${end.isEarlier ? ' earlier; nothing was sent now' : ''}.`)
  context.fields({ txnId, player, amount, currency, balance: end.balance })
}

function reportOf(
  { context, input }: Move,
  fields: Partial<TransferReport> & Pick<TransferReport, 'txnId' | 'created'>,
): TransferReport {
  const { username, dir, amount, currency } = input
  return {
    username,
    dir,
    amount,
    currency,
    status: null,
    balance: null,
    duplicate: null,
    knownBy: null,
    attempts: 0,
    dryRun: context.isDryRun,
    request: null,
    ...fields,
  }
}
