import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Tickets that were made before their customer had a room belong to the room there is by now. */
export const chatTicketRooms: Migration = {
  name: '0095-chat-ticket-rooms',
  async up(q) {
    await sql`
      update chat_tickets set room_id = (
        select chat_rooms.id from chat_rooms
        where chat_rooms.tenant = chat_tickets.tenant and chat_rooms.customer_account = chat_tickets.customer_account
      )
      where room_id is null and customer_account is not null`.execute(q)
  },
}
