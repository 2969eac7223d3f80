import type { Migration } from '../../migrate.ts'

/**
 * E-mail address of a room's customer, rotation of a merchant's identity secret, and indexes for replies and undo on
 * tickets.
 */
export const chatIdentity: Migration = {
  name: '0100-chat-identity',
  async up(q) {
    await q.schema.alterTable('chat_rooms').addColumn('customer_email', 'text').execute()
    await q.schema.alterTable('chat_tenants').addColumn('identity_secret_before', 'text').execute()
    for (const column of ['identity_before_until', 'identity_shown_at'])
      await q.schema.alterTable('chat_tenants').addColumn(column, 'bigint').execute()
    // Each message of a customer looks up the ticket that it answers.
    await q.schema.createIndex('chat_tickets_by_room_id').on('chat_tickets').column('room_id').execute()
    await q.schema.alterTable('chat_ticket_history').addColumn('state_before', 'text').execute()
  },
}
