import { sql } from 'kysely'
import type { BookSlipRow, BookWalletMarkRow } from '../../db/schema/book.ts'
import type { Reader, Tx } from '../../db/store.ts'
import { isOnsite, textIn } from '../../domain/bets/record-text.ts'
import { foldUsername } from '../../domain/players/player.ts'
import { piecesOf } from '../../kit/pieces.ts'

/** Stored balance readings, and the movements between them. */

/** Maximum number of stored readings per player. */
const maxReadings = 50

const playersAtOnce = 500

/** Returns the readings of these players since the last proven one, oldest first; all if none is proven. */
export async function checkpointsOf(
  { q }: Reader,
  players: readonly string[],
): Promise<Map<string, BookWalletMarkRow[]>> {
  const checkpoints = new Map<string, BookWalletMarkRow[]>()
  for (let i = 0; i < players.length; i += playersAtOnce)
    for (const row of await q
      .selectFrom('book_wallet_marks')
      .selectAll()
      .where('player', 'in', players.slice(i, i + playersAtOnce))
      .orderBy('id')
      .execute()) {
      const known = row.verdict === 'balanced' ? [] : (checkpoints.get(row.player) ?? [])
      checkpoints.set(row.player, [...known, row])
    }
  return checkpoints
}

/** Stores a reading. Readings before the proven one are deleted; of those after it the newest stay. */
export async function keepCheckpoint(
  tx: Tx,
  checkpoint: BookWalletMarkRow,
  anchorId: string | undefined,
): Promise<void> {
  await tx.q.insertInto('book_wallet_marks').values(checkpoint).execute()
  const oldest = await tx.q
    .selectFrom('book_wallet_marks')
    .select('id')
    .where('player', '=', checkpoint.player)
    .orderBy('id', 'desc')
    .offset(maxReadings)
    .limit(1)
    .executeTakeFirst()
  const deleteQuery = () => tx.q.deleteFrom('book_wallet_marks').where('player', '=', checkpoint.player)
  if (anchorId !== undefined) await deleteQuery().where('id', '<', anchorId).execute()
  if (oldest)
    await deleteQuery()
      .where('id', '<=', oldest.id)
      .where('id', '!=', anchorId ?? '')
      .execute()
}

/** Updates an earlier reading with a verdict of a later run. */
export async function saveVerdict(
  { q }: Tx,
  { id, verdict, held }: Pick<BookWalletMarkRow, 'id' | 'verdict' | 'held'>,
): Promise<void> {
  await q.updateTable('book_wallet_marks').set({ verdict, held }).where('id', '=', id).execute()
}

/** The wallet movement of one revision. */
export type WalletRow = Pick<BookSlipRow, 'place' | 'slip_id' | 'rev' | 'name_key' | 'settled_at' | 'record'>

const rowsAtOnce = 5_000

/**
 * Reads the revisions of these players between two places in batches, player by player, each in order of arrival. On-site seats
 * are skipped, because they have no wallet. Rows of other players, and earlier ones, are not read.
 */
export async function* walletRows(
  reader: Reader,
  { after, upTo, players }: { readonly after: number; readonly upTo: number; readonly players: readonly string[] },
): AsyncGenerator<WalletRow[]> {
  const withWallet = (rows: readonly WalletRow[]) => rows.filter(({ record }) => !isOnsite(record))
  for (const some of piecesOf(players, playersAtOnce)) {
    let rest: readonly string[] = some
    while (rest.length > 0) {
      const rows = await rowsOfPlayers(reader, { after, upTo, players: rest })
      yield withWallet(rows)
      const cut = rows.length < rowsAtOnce ? undefined : rows.at(-1)
      if (!cut) break
      // The rest of the player at whom the batch ended, then the players without any row in it.
      for (let last: WalletRow | undefined = cut; last !== undefined; ) {
        const more = await rowsOfPlayers(reader, { after: last.place, upTo, players: [cut.name_key] })
        yield withWallet(more)
        last = more.length < rowsAtOnce ? undefined : more.at(-1)
      }
      const seen = new Set(rows.map(({ name_key }) => name_key))
      rest = rest.filter((player) => !seen.has(player))
    }
  }
}

function rowsOfPlayers(
  { q }: Reader,
  { after, upTo, players }: { readonly after: number; readonly upTo: number; readonly players: readonly string[] },
): Promise<WalletRow[]> {
  return q
    .selectFrom('book_revisions')
    .select(['place', 'slip_id', 'rev', 'name_key', 'settled_at', 'record'])
    .where('name_key', 'in', players)
    .where('place', '>', after)
    .where('place', '<=', upTo)
    .orderBy('name_key')
    .orderBy('place')
    .limit(rowsAtOnce)
    .execute()
}

/**
 * Returns all players in the book: those with bets, transfers or readings, each in one spelling. The index is searched for one
 * player after another, so the number of their bets and transfers does not matter.
 */
export async function knownPlayers({ q }: Reader): Promise<string[]> {
  const bettors = await sql<{ name_key: string; record: string }>`
    with recursive players (name_key) as (
      select min(name_key) from book_revisions
      union all
      select (select min(name_key) from book_revisions where name_key > players.name_key)
      from players where players.name_key is not null
    )
    select name_key,
      (select record from book_revisions as latest where latest.name_key = players.name_key order by place desc limit 1) as record
    from players where name_key is not null`.execute(q)
  const movers = await sql<{ username: string | null }>`
    with recursive players (name_key) as (
      select min(name_key) from book_transfers
      union all
      select (select min(name_key) from book_transfers where name_key > players.name_key)
      from players where players.name_key is not null
    )
    select (select username from book_transfers as done where done.name_key = players.name_key and state = 'done'
      order by changed_at desc limit 1) as username
    from players where name_key is not null`.execute(q)
  const marked = await q
    .selectFrom('book_wallet_marks')
    .select(['player', 'username'])
    .groupBy(['player', 'username'])
    .execute()
  const names = new Map<string, string>()
  for (const { username } of [...marked, ...movers.rows])
    if (username !== null) names.set(foldUsername(username), username)
  for (const { name_key, record } of bettors.rows) names.set(name_key, textIn(record, 'username') ?? name_key)
  return [...names.values()].sort()
}

/** Returns a reading by its ID; undefined if it was deleted. */
export function checkpointNamed({ q }: Reader, id: string): Promise<BookWalletMarkRow | undefined> {
  return q.selectFrom('book_wallet_marks').selectAll().where('id', '=', id).executeTakeFirst()
}
