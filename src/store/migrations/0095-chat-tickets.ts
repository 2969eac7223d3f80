import { type Kysely, sql } from 'kysely'
import { searched, termsOf } from '../../domain/ticket-search.ts'
import type { Migration } from '../migrate.ts'
import type { Tables } from '../tables.ts'

/**
 * Tickets that were made before their customer had a room belong to the room there is by now. And all of them are filed
 * anew: under the signs that belong to no word as well, and with what is not one text parted.
 */
export const chatTickets: Migration = {
  name: '0095-chat-tickets',
  async up(q) {
    await sql`
      update chat_tickets set room_id = (
        select chat_rooms.id from chat_rooms
        where chat_rooms.tenant = chat_tickets.tenant and chat_rooms.customer_account = chat_tickets.customer_account
      )
      where room_id is null and customer_account is not null`.execute(q)
    await fileAnew(q as Kysely<unknown> as Kysely<Tables>)
  },
}

const ticketsAtOnce = 200
const rowsAtOnce = 1_000

async function fileAnew(q: Kysely<Tables>): Promise<void> {
  for (let after = ''; ; ) {
    const tickets = await q
      .selectFrom('chat_tickets')
      .select(['id', 'tenant', 'number', 'title', 'description', 'customer_account'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(ticketsAtOnce)
      .execute()
    const last = tickets.at(-1)
    if (!last) return
    after = last.id
    const terms: { tenant: string; term: string; number: number }[] = []
    for (const { tenant, number, title, description, customer_account: account } of tickets) {
      const text = searched(title, description, account ?? '')
      const own = q.updateTable('chat_ticket_texts').where('tenant', '=', tenant).where('number', '=', number)
      await own.set({ text }).where('part', '=', 0).execute()
      const parts = await q
        .selectFrom('chat_ticket_texts')
        .select('text')
        .where('tenant', '=', tenant)
        .where('number', '=', number)
        .execute()
      const others = new Set(parts.flatMap((part) => [...termsOf(part.text).others]))
      for (const term of others) terms.push({ tenant, term, number })
    }
    for (let i = 0; i < terms.length; i += rowsAtOnce)
      await q
        .insertInto('chat_ticket_terms')
        .values(terms.slice(i, i + rowsAtOnce))
        .onConflict((conflict) => conflict.columns(['tenant', 'term', 'number']).doNothing())
        .execute()
  }
}
