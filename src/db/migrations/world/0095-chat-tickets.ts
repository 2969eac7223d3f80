import { type Kysely, sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/**
 * Assigns tickets made before their customer had a room to that room, and indexes all tickets again: under found too,
 * and with each text separately.
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
    await reindexTickets(q as Kysely<unknown> as Kysely<Filed>)
  },
}

/** Columns read and written here, as they are at this migration. */
interface Filed {
  chat_tickets: {
    id: string
    tenant: string
    number: number
    title: string
    description: string
    customer_account: string | null
  }
  chat_ticket_texts: { tenant: string; number: number; part: number; text: string }
  chat_ticket_terms: { tenant: string; term: string; number: number }
}

const ticketsAtOnce = 200
const rowsAtOnce = 1_000
const symbol = /[^\p{L}\p{N}\p{M}\p{Cc}\p{Cf}\p{Cs}\s]/gu

function searched(...texts: readonly string[]): string {
  return texts
    .map((text) => text.normalize('NFKC').toLowerCase().replaceAll('\0', ' ').trim().replace(/\s+/g, ' '))
    .join('\n')
}

async function reindexTickets(q: Kysely<Filed>): Promise<void> {
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
    const terms: Filed['chat_ticket_terms'][] = []
    for (const { tenant, number, title, description, customer_account: account } of tickets) {
      await q
        .updateTable('chat_ticket_texts')
        .set({ text: searched(title, description, account ?? '') })
        .where('tenant', '=', tenant)
        .where('number', '=', number)
        .where('part', '=', 0)
        .execute()
      const parts = await q
        .selectFrom('chat_ticket_texts')
        .select('text')
        .where('tenant', '=', tenant)
        .where('number', '=', number)
        .execute()
      const found = new Set(parts.flatMap(({ text }) => text.match(symbol) ?? []))
      for (const term of found) terms.push({ tenant, term, number })
    }
    for (let i = 0; i < terms.length; i += rowsAtOnce)
      await q
        .insertInto('chat_ticket_terms')
        .values(terms.slice(i, i + rowsAtOnce))
        .onConflict((conflict) => conflict.columns(['tenant', 'term', 'number']).doNothing())
        .execute()
  }
}
