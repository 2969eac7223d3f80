import type { Kysely } from 'kysely'
import type { Tables } from '../../db/schema/index.ts'

/** A value that completion offers, with a description of a few words. */
export interface OfferedName {
  readonly word: string
  readonly about: string
}

/** Reads the newest names of a kind, newest first. */
type NameQuery = (q: Kysely<Tables>, limit: number) => Promise<OfferedName[]>

/** Names that completion offers from a book. */
export const bookNames = {
  txns: async (q, limit) => {
    const rows = await q
      .selectFrom('book_transfers')
      .select(['txn_id', 'username', 'dir', 'amount', 'currency', 'state'])
      .orderBy('made_at', 'desc')
      .orderBy('txn_id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(({ txn_id, username, dir, amount, currency, state }) => ({
      word: txn_id,
      about: `${dir === 'in' ? 'deposit' : 'withdrawal'} of ${amount} ${currency}, ${username}, ${state}`,
    }))
  },
  plans: async (q, limit) => {
    const rows = await q
      .selectFrom('book_wallet_plans')
      .select(['id', 'source', 'rows'])
      .orderBy('made_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(({ id, source, rows: count }) => ({ word: id, about: `${source}, rows: ${count}` }))
  },
  breaks: async (q, limit) => {
    const rows = await q
      .selectFrom('book_breaks')
      .select(['id', 'state', 'message'])
      .orderBy('opened_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(({ id, state, message }) => ({ word: id, about: `${state}: ${message}` }))
  },
  periods: async (q, limit) => {
    const closed = await q.selectFrom('book_periods').select(['period', 'state']).execute()
    const months = await q.selectFrom('book_months').select('month').execute()
    const states = new Map(months.map(({ month }) => [`${month.slice(0, 4)}-${month.slice(4)}`, 'open']))
    for (const { period, state } of closed) states.set(period, state)
    const newest = [...states].sort(([a], [b]) => (a < b ? 1 : -1))
    return newest.slice(0, limit).map(([word, about]) => ({ word, about }))
  },
  slips: async (q, limit) => {
    const rows = await q
      .selectFrom('book_revisions')
      .select(['slip_id', 'name_key'])
      .orderBy('place', 'desc')
      .limit(limit)
      .execute()
    return rows.map(({ slip_id, name_key }) => ({ word: slip_id, about: name_key }))
  },
} as const satisfies Record<string, NameQuery>
