import { inParts } from '../../../db/chunks.ts'
import { prepared } from '../../../db/prepared.ts'
import type { PlayerRow, TransferRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { foldUsername } from '../../../domain/players/player.ts'
import { insertPlayers, updateBalances } from './players.ts'
import { insertTransfers, latestFirst } from './transfers.ts'

/** A movement's player and transaction, before either is known to exist. */
export interface MovementKeys {
  readonly username: string
  readonly txnId: string
}

/**
 * Players and transfers of one tenant that a batch of movements is about: read at once, changed in memory, and saved at
 * once. A movement sees the effects of those before it.
 */
export interface Wallets {
  playerNamed(username: string): PlayerRow | undefined
  /** Lists the transfers with a txnId, latest first. */
  transfersOf(txnId: string): readonly TransferRow[]
  /** Adds a new player. */
  addPlayer(player: PlayerRow): void
  /** Number of new players, who are not inserted yet. */
  newPlayers(): number
  /** Adds a transfer and sets the player's balance to the transfer's. */
  post(player: PlayerRow, transfer: TransferRow): void
  /** Writes the new players, the balances and the transfers. */
  save(tx: Tx): Promise<void>
}

export async function readWallets(
  reader: Reader,
  tenant: string,
  movements: readonly MovementKeys[],
): Promise<Wallets> {
  const nameKeys = [...new Set(movements.map(({ username }) => foldUsername(username)))]
  const txnIds = [...new Set(movements.map(({ txnId }) => txnId))]
  const players = new Map<string, PlayerRow>()
  const transfers = new Map<string, TransferRow[]>()
  await Promise.all([
    inParts(nameKeys, async (part) => {
      for (const row of await playersByName(
        reader,
        { tenant },
        part.map((nameKey) => ({ nameKey })),
      ))
        players.set(row.name_key, row)
    }),
    inParts(txnIds, async (part) => {
      for (const row of await transfersByTxn(
        reader,
        { tenant },
        part.map((txnId) => ({ txnId })),
      ))
        transfers.set(row.txn_id, [...(transfers.get(row.txn_id) ?? []), row])
    }),
  ])
  return walletsOf(players, transfers)
}

function walletsOf(players: Map<string, PlayerRow>, transfers: Map<string, TransferRow[]>): Wallets {
  const balances = new Map<string, string>()
  const added = new Map<string, PlayerRow>()
  const posted: TransferRow[] = []
  return {
    playerNamed: (username) => players.get(foldUsername(username)),
    transfersOf: (txnId) => latestFirst(transfers.get(txnId) ?? []),
    addPlayer(player) {
      players.set(player.name_key, player)
      added.set(player.id, player)
    },
    newPlayers: () => added.size,
    post(player, transfer) {
      const changed = { ...player, balance: transfer.balance }
      players.set(player.name_key, changed)
      transfers.set(transfer.txn_id, [...(transfers.get(transfer.txn_id) ?? []), transfer])
      if (added.has(player.id)) added.set(player.id, changed)
      else balances.set(player.id, transfer.balance)
      posted.push(transfer)
    },
    async save(tx) {
      const changed = [...balances].map(([id, balance]) => ({ id, balance }))
      await Promise.all([
        insertPlayers(tx, [...added.values()]),
        updateBalances(tx, changed),
        insertTransfers(tx, posted),
      ])
    },
  }
}

const playersByName = prepared((q, { tenant }: { tenant: string }, players: readonly { nameKey: string }[]) =>
  q
    .selectFrom('casino_players')
    .selectAll()
    .where('tenant', '=', tenant)
    .where(
      'name_key',
      'in',
      players.map(({ nameKey }) => nameKey),
    ),
)

const transfersByTxn = prepared((q, { tenant }: { tenant: string }, transactions: readonly { txnId: string }[]) =>
  q
    .selectFrom('casino_transfers')
    .selectAll()
    .where('tenant', '=', tenant)
    .where(
      'txn_id',
      'in',
      transactions.map(({ txnId }) => txnId),
    ),
)
