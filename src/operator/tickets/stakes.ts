import { foldUsername } from '../../domain/players/player.ts'
import { type OpenRecord, type Stake, stakeOf } from '../../domain/tickets/stake.ts'
import type { Book } from '../book/book.ts'
import type { RemoteTicket } from './parse.ts'

/** Returns the open amount of a ticket; null if nothing is known. */
export type Stakes = (ticket: Pick<RemoteTicket, 'customerAccount' | 'fieldValues'>) => Stake | null

/**
 * Reads the open records of all players once: open breaks, and transfers with an unknown outcome. Without a book, only what the
 * tickets state is known.
 */
export async function openStakes(book: Book | undefined): Promise<Stakes> {
  const records = book ? await openRecords(book) : new Map<string, OpenRecord[]>()
  return ({ customerAccount, fieldValues }) =>
    stakeOf((customerAccount === null ? undefined : records.get(foldUsername(customerAccount))) ?? [], fieldValues)
}

async function openRecords(book: Book): Promise<ReadonlyMap<string, OpenRecord[]>> {
  const { breaks, transfers } = await book.store.read(async ({ q }) => ({
    breaks: await q
      .selectFrom('book_breaks')
      .select(['player', 'currency', 'amount', 'subject'])
      .where('state', '=', 'open')
      .execute(),
    transfers: await q
      .selectFrom('book_transfers')
      .select(['name_key', 'currency', 'amount', 'txn_id'])
      .where('state', '=', 'unknown')
      .execute(),
  }))
  const records = new Map<string, OpenRecord[]>()
  const add = (player: string, record: OpenRecord) => {
    const known = records.get(player)
    if (known) known.push(record)
    else records.set(player, [record])
  }
  const subjects = new Set<string>()
  for (const { player, currency, amount, subject } of breaks) {
    subjects.add(subject)
    if (player !== null && amount !== null) add(foldUsername(player), { kind: 'break', currency, amount })
  }
  // A transfer that is a break already is counted once.
  for (const { name_key, currency, amount, txn_id } of transfers)
    if (!subjects.has(txn_id)) add(name_key, { kind: 'transfer', currency, amount })
  return records
}
