import type { BookSlipRow, BookWalletMarkRow } from '../../db/schema/book.ts'
import type { Reader, Tx } from '../../db/store.ts'
import { isOnsite, textIn } from '../../domain/bets/record-text.ts'
import { foldUsername } from '../../domain/players/player.ts'

/** Stored balance readings, and the movements between them. */

/** Maximum number of stored readings per player. */
const maxReadings = 50

const playersAtOnce = 500

/** Returns the readings of these players since the last proven one, oldest first; all if none is proven. */
export async function marksOf({ q }: Reader, players: readonly string[]): Promise<Map<string, BookWalletMarkRow[]>> {
  const marks = new Map<string, BookWalletMarkRow[]>()
  for (let i = 0; i < players.length; i += playersAtOnce)
    for (const row of await q
      .selectFrom('book_wallet_marks')
      .selectAll()
      .where('player', 'in', players.slice(i, i + playersAtOnce))
      .orderBy('id')
      .execute()) {
      const known = row.verdict === 'balanced' ? [] : (marks.get(row.player) ?? [])
      marks.set(row.player, [...known, row])
    }
  return marks
}

/** Stores a reading. Readings before the proven one are deleted; of those after it the newest stay. */
export async function keepMark(tx: Tx, mark: BookWalletMarkRow, anchorId: string | undefined): Promise<void> {
  await tx.q.insertInto('book_wallet_marks').values(mark).execute()
  const oldest = await tx.q
    .selectFrom('book_wallet_marks')
    .select('id')
    .where('player', '=', mark.player)
    .orderBy('id', 'desc')
    .offset(maxReadings)
    .limit(1)
    .executeTakeFirst()
  const deleteQuery = () => tx.q.deleteFrom('book_wallet_marks').where('player', '=', mark.player)
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

/** Reads the revisions between two places in batches, in order of arrival. On-site seats are skipped, because they have no wallet. */
export async function* walletRows(
  { q }: Reader,
  { after, upTo, players }: { readonly after: number; readonly upTo: number; readonly players: readonly string[] },
): AsyncGenerator<WalletRow[]> {
  let place = after
  for (;;) {
    const rows = await q
      .selectFrom('book_revisions')
      .select(['place', 'slip_id', 'rev', 'name_key', 'settled_at', 'record'])
      .where('place', '>', place)
      .where('place', '<=', upTo)
      // A filter in SQL pays off for a few players only; with many, nearly every row is needed.
      .$if(players.length <= playersAtOnce, (query) => query.where('name_key', 'in', players))
      .orderBy('place')
      .limit(rowsAtOnce)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    yield rows.filter(({ record }) => !isOnsite(record))
    place = last.place
  }
}

/** Returns all players in the book: those with bets, transfers or readings, each in one spelling. */
export async function knownPlayers({ q }: Reader): Promise<string[]> {
  const latest = q
    .selectFrom('book_revisions')
    .select(({ fn }) => fn.max('place').as('place'))
    .groupBy('name_key')
  const bettors = await q
    .selectFrom('book_revisions')
    .select(['name_key', 'record'])
    .where('place', 'in', latest)
    .execute()
  const movers = await q
    .selectFrom('book_transfers')
    .select(['name_key', 'username'])
    .groupBy(['name_key', 'username'])
    .where('state', '=', 'done')
    .execute()
  const marked = await q
    .selectFrom('book_wallet_marks')
    .select(['player', 'username'])
    .groupBy(['player', 'username'])
    .execute()
  const names = new Map<string, string>()
  for (const { username } of [...marked, ...movers]) names.set(foldUsername(username), username)
  for (const { name_key, record } of bettors) names.set(name_key, textIn(record, 'username') ?? name_key)
  return [...names.values()].sort()
}

/** Returns a reading by its ID; undefined if it was deleted. */
export function markNamed({ q }: Reader, id: string): Promise<BookWalletMarkRow | undefined> {
  return q.selectFrom('book_wallet_marks').selectAll().where('id', '=', id).executeTakeFirst()
}
