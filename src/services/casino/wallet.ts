import type { PlayerRow, TenantRow, TransferRow } from '../../db/schema/casino.ts'
import type { Reader, Tx } from '../../db/store.ts'
import { limits } from '../../domain/account/plan-limits.ts'
import { formatAmount, formatUnits, parseAmount, playerScale } from '../../domain/money.ts'
import { monthsBefore, startOfMonth } from '../../domain/time/calendar.ts'
import { creditBalance, debitBalance } from '../../domain/wallet/balance.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import { casino, refuse } from './api/contract.ts'
import type { Balance, TransferInput, TransferRecord, TransferResult } from './api/schemas/index.ts'
import { toTransferRecord } from './api/views.ts'
import { newPlayer, noSuchPlayer, thePlayer } from './players/players.ts'
import { playerNamed, playerOf, saveBalance } from './queries/players.ts'
import { insertTransfer, transfersOf } from './queries/transfers.ts'
import { readWallets, type Wallets } from './queries/wallets.ts'
import type { Casino, Tenant } from './service.ts'
import { changingPlayers } from './write-groups.ts'

/** A deposit or withdrawal to carry out. */
export interface MovementInput extends TransferInput {
  readonly dir: 'in' | 'out'
}

/** Deposits an amount once per txnId, creating the player if needed; or changes nothing. */
export function deposit(app: Casino, tenant: Tenant, input: TransferInput): Promise<TransferResult> {
  return moveOne(app, tenant, { ...input, dir: 'in' })
}

async function moveOne(app: Casino, tenant: Tenant, input: MovementInput): Promise<TransferResult> {
  const outcome = await changingPlayers(app, tenant, async (tx) => {
    const wallets = await readWallets(tx, tenant.code, [input])
    const result = await move(app, tx, tenant, wallets, input)
    await wallets.save(tx)
    return result
  })
  if (outcome instanceof Problem) throw outcome
  return outcome
}

/** Carries out a movement in memory, or returns the refusal. The caller saves the wallets. */
export async function move(
  app: Casino,
  tx: Tx,
  tenant: Tenant,
  wallets: Wallets,
  input: MovementInput,
): Promise<TransferResult | Problem> {
  try {
    return await (input.dir === 'in' ? putInto : takeOutOf)(app, tx, tenant, wallets, input)
  } catch (error) {
    // A failure of the database is no refusal: it fails the whole transaction.
    if (isProblem(error) && Object.hasOwn(casino.problems, error.code)) return error
    throw error
  }
}

/** Deposits an amount once per txnId, creating the player if needed; or changes nothing. */
async function putInto(app: Casino, tx: Tx, tenant: Tenant, wallets: Wallets, input: MovementInput) {
  const amount = parseAmount(input.amount)
  const movement: Movement = { txnId: input.txnId, dir: 'in', change: amount }
  const known = wallets.playerNamed(input.username)
  if (known) checkCurrency(known, input.currency)
  const earlier = repeatedTransfer(wallets.transfersOf(input.txnId), known, movement, tx.now)
  if (earlier) return toResult(earlier, true)
  const after = creditBalance(parseAmount(known?.balance ?? '0'), amount)
  if (after === 'too-much')
    throw refuse('INVALID_AMOUNT', 'amount would raise the balance above 15 digits', { field: 'amount' })
  const player = known ?? (await newPlayer(app, tx, tenant, input, wallets.newPlayers()))
  if (!known) wallets.addPlayer(player)
  const transfer = transferOf(app, tx, player, movement, after)
  wallets.post(player, transfer)
  return toResult(transfer, false)
}

/** Withdraws an amount once per txnId, or refuses without changes. */
async function takeOutOf(app: Casino, tx: Tx, _: Tenant, wallets: Wallets, input: MovementInput) {
  const amount = parseAmount(input.amount)
  const movement: Movement = { txnId: input.txnId, dir: 'out', change: -amount }
  const player = wallets.playerNamed(input.username)
  if (!player) throw noSuchPlayer(input.username)
  checkCurrency(player, input.currency)
  const earlier = repeatedTransfer(wallets.transfersOf(input.txnId), player, movement, tx.now)
  if (earlier) return toResult(earlier, true)
  const after = debitBalance(parseAmount(player.balance), amount)
  if (after === 'too-little')
    throw refuse('INSUFFICIENT_BALANCE', `The balance of ${player.balance} is lower than the amount of ${input.amount}`)
  const transfer = transferOf(app, tx, player, movement, after)
  wallets.post(player, transfer)
  return toResult(transfer, false)
}

function checkCurrency(player: PlayerRow, currency: string): void {
  if (currency.toUpperCase() !== player.currency)
    throw refuse('CURRENCY_MISMATCH', `The player's currency is ${player.currency}`)
}

/** A change of a wallet, with the txnId that makes it idempotent. */
export interface Movement {
  readonly txnId: string
  readonly dir: TransferRow['dir']
  /** Units to add; negative to take away. */
  readonly change: bigint
}

/**
 * Returns the transfer that a movement repeats, if any. Refuses a txnId of a different transfer: always for the same
 * player, within two months for another player.
 */
export async function earlierTransfer(
  tx: Tx,
  tenant: TenantRow,
  player: PlayerRow | undefined,
  movement: Movement,
): Promise<TransferRow | undefined> {
  return repeatedTransfer(await transfersOf(tx, tenant.code, movement.txnId), player, movement, tx.now)
}

/** The same among the transfers with the movement's txnId. */
function repeatedTransfer(
  earlier: readonly TransferRow[],
  player: PlayerRow | undefined,
  { txnId, dir, change }: Movement,
  now: number,
): TransferRow | undefined {
  const own = earlier.find((transfer) => transfer.player_id === player?.id)
  if (own) {
    if (own.dir === dir && parseAmount(own.change) === change) return own
    throw refuse('TXN_CONFLICT', `txnId ${txnId} was used for a different amount or direction`)
  }
  if (earlier.length === 0) return undefined
  const since = monthsBefore(now, limits.conflictMonths)
  if (earlier.some((transfer) => transfer.at > since))
    throw refuse('TXN_CONFLICT', `txnId ${txnId} was used for another player`)
  return undefined
}

/** Posts a movement that leaves the wallet at `after`. */
export async function postMovement(
  app: Casino,
  tx: Tx,
  player: PlayerRow,
  movement: Movement,
  after: bigint,
): Promise<TransferRow> {
  const transfer = transferOf(app, tx, player, movement, after)
  await saveBalance(tx, player.id, transfer.balance)
  await insertTransfer(tx, transfer)
  return transfer
}

function transferOf(
  app: Casino,
  { now }: Tx,
  player: PlayerRow,
  { txnId, dir, change }: Movement,
  after: bigint,
): TransferRow {
  return {
    id: app.id(),
    tenant: player.tenant,
    txn_id: txnId,
    player_id: player.id,
    dir,
    amount: formatAmount(change < 0n ? -change : change),
    change: formatAmount(change),
    // Winnings may exceed the range of a transfer amount, so the balance is not limited to it.
    balance: formatUnits(after, playerScale),
    at: now,
  }
}

function toResult(transfer: TransferRow, duplicate: boolean): TransferResult {
  return { txnId: transfer.txn_id, status: 'done', balance: transfer.balance, duplicate }
}

/**
 * Returns a successful transfer, or throws TXN_NOT_FOUND. The named player's own record comes first, at any age.
 * Otherwise the latest in the tenant's ledger of the current and previous 3 UTC months counts, even of another player:
 * a used txnId must not look free.
 */
export function findTransfer(
  app: Casino,
  tenant: Tenant,
  query: { txnId: string; username?: string },
): Promise<TransferRecord> {
  return app.store.read(async (reader) => {
    const transfer = await transferFor(reader, tenant, query)
    if (!transfer) throw refuse('TXN_NOT_FOUND', `No transfer ${query.txnId} was executed`)
    return transfer
  })
}

async function transferFor(reader: Reader, tenant: Tenant, query: { txnId: string; username?: string }) {
  const transfers = await transfersOf(reader, tenant.code, query.txnId)
  if (query.username !== undefined) {
    const player = await playerNamed(reader, tenant.code, query.username)
    const own = transfers.find((transfer) => transfer.player_id === player?.id)
    if (player && own) return toTransferRecord(own, player.username)
  }
  const [latest] = transfers
  if (!latest || latest.at < startOfMonth(reader.now, -limits.ledgerMonthsBack)) return undefined
  const player = await playerOf(reader, latest.player_id)
  return player && toTransferRecord(latest, player.username)
}

/** Returns the available balance; stakes of unsettled bets are already deducted. */
export function readBalance(app: Casino, tenant: Tenant, username: string): Promise<Balance> {
  return app.store.read(async (reader) => {
    const { balance, currency } = await thePlayer(reader, tenant, username)
    return { balance, currency }
  })
}
