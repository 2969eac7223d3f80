import { monthsBefore, startOfMonth } from '../domain/calendar.ts'
import { formatAmount, formatUnits, parseAmount, playerScale } from '../domain/money.ts'
import { limits } from '../domain/plan.ts'
import { putIn, takeOut } from '../domain/wallet.ts'
import type { Reader, Tx } from '../store/store.ts'
import type { PlayerRow, TenantRow, TransferRow } from '../store/tables/casino.ts'
import type { Casino, Tenant } from './casino.ts'
import { refuse } from './contract.ts'
import { createPlayer, thePlayer } from './players.ts'
import { playerNamed, playerOf, savePlayer } from './queries/players.ts'
import { insertTransfer, transfersOf } from './queries/transfers.ts'
import type { TransferOrder, TransferRecord, TransferResult } from './shapes.ts'
import { toTransferRecord } from './views.ts'

/** Puts the amount in once per txnId, creating the player where needed; or does none of it. */
export function deposit(app: Casino, tenant: Tenant, order: TransferOrder): Promise<TransferResult> {
  return app.store.write(async (tx) => {
    const known = await playerNamed(tx, tenant.code, order.username)
    const earlier = await earlierTransfer(tx, tenant, known, order, 'in')
    if (earlier) return toResult(earlier, true)
    const player = known ?? (await createPlayer(app, tx, tenant, order))
    const after = putIn(parseAmount(player.balance), parseAmount(order.amount))
    if (after === 'too-much')
      throw refuse('INVALID_AMOUNT', 'amount would take the balance beyond 15 digits', { field: 'amount' })
    return toResult(await book(app, tx, player, order, 'in', after), false)
  })
}

/** Takes the amount out once per txnId, or says why not and takes nothing. */
export function withdraw(app: Casino, tenant: Tenant, order: TransferOrder): Promise<TransferResult> {
  return app.store.write(async (tx) => {
    const player = await thePlayer(tx, tenant, order.username)
    const earlier = await earlierTransfer(tx, tenant, player, order, 'out')
    if (earlier) return toResult(earlier, true)
    const after = takeOut(parseAmount(player.balance), parseAmount(order.amount))
    if (after === 'too-little')
      throw refuse('INSUFFICIENT_BALANCE', `The balance of ${player.balance} is lower than the amount`)
    return toResult(await book(app, tx, player, order, 'out', after), false)
  })
}

/**
 * The transfer that this order repeats, if it repeats one. Refuses an order in a currency that is not the player's, and
 * a txnId that stood for something else: always for the same player, for another player within two months.
 */
async function earlierTransfer(
  tx: Tx,
  tenant: TenantRow,
  player: PlayerRow | undefined,
  order: TransferOrder,
  dir: 'in' | 'out',
): Promise<TransferRow | undefined> {
  if (player && order.currency.toUpperCase() !== player.currency)
    throw refuse('CURRENCY_MISMATCH', `The player's currency is ${player.currency}`)
  const earlier = await transfersOf(tx, tenant.code, order.txnId)
  const own = earlier.find((transfer) => transfer.player_id === player?.id)
  if (own) {
    const isSame = own.dir === dir && parseAmount(own.amount) === parseAmount(order.amount)
    if (!isSame) throw refuse('TXN_CONFLICT', `${order.txnId} was a transfer of another amount or direction`)
    return own
  }
  const since = monthsBefore(tx.now, limits.conflictMonths)
  if (earlier.some((transfer) => transfer.at > since))
    throw refuse('TXN_CONFLICT', `${order.txnId} was a transfer of another player`)
  return undefined
}

async function book(
  app: Casino,
  tx: Tx,
  player: PlayerRow,
  order: TransferOrder,
  dir: 'in' | 'out',
  after: bigint,
): Promise<TransferRow> {
  const transfer: TransferRow = {
    id: app.id(),
    tenant: player.tenant,
    txn_id: order.txnId,
    player_id: player.id,
    dir,
    amount: formatAmount(parseAmount(order.amount)),
    // Winnings may have taken a balance beyond what one transfer can carry, so it is not held to that range.
    balance: formatUnits(after, playerScale),
    at: tx.now,
  }
  await savePlayer(tx, player.id, { balance: transfer.balance })
  await insertTransfer(tx, transfer)
  return transfer
}

function toResult(transfer: TransferRow, duplicate: boolean): TransferResult {
  return { txnId: transfer.txn_id, status: 'done', balance: transfer.balance, duplicate }
}

/**
 * A transfer that was done. With a username only that player's transfers are looked at, however old; without one the
 * tenant's ledger of the current and the previous 3 UTC months, where the latest wins.
 */
export function findTransfer(
  app: Casino,
  tenant: Tenant,
  asked: { txnId: string; username?: string },
): Promise<TransferRecord> {
  return app.store.read(async (reader) => {
    const found = await transferFor(reader, tenant, asked)
    if (!found) throw refuse('TXN_NOT_FOUND', `No transfer ${asked.txnId} was executed`)
    return found
  })
}

async function transferFor(reader: Reader, tenant: Tenant, asked: { txnId: string; username?: string }) {
  const transfers = await transfersOf(reader, tenant.code, asked.txnId)
  if (asked.username !== undefined) {
    const player = await playerNamed(reader, tenant.code, asked.username)
    const own = transfers.find((transfer) => transfer.player_id === player?.id)
    return player && own && toTransferRecord(own, player.username)
  }
  const [latest] = transfers
  if (!latest || latest.at < startOfMonth(reader.now, -limits.ledgerMonthsBack)) return undefined
  const player = await playerOf(reader, latest.player_id)
  return player && toTransferRecord(latest, player.username)
}

/** The available balance: stakes of unsettled bets are deducted already. */
export function readBalance(app: Casino, tenant: Tenant, username: string) {
  return app.store.read(async (reader) => {
    const { balance, currency } = await thePlayer(reader, tenant, username)
    return { balance, currency }
  })
}

/** Puts money into a wallet on the house's own account, as a deposit of that txnId; gives the player with the new balance. */
export async function putMoney(
  app: Casino,
  tx: Tx,
  player: PlayerRow,
  txnId: string,
  amount: string,
): Promise<PlayerRow> {
  const after = putIn(parseAmount(player.balance), parseAmount(amount))
  if (after === 'too-much') return player
  const order = { username: player.username, txnId, amount, currency: player.currency }
  const { balance } = await book(app, tx, player, order, 'in', after)
  return { ...player, balance }
}
