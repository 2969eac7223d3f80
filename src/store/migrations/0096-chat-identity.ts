import type { Migration } from '../migrate.ts'

/** The e-mail address of a room's customer, and the rotation of a merchant's identity secret. */
export const chatIdentity: Migration = {
  name: '0096-chat-identity',
  async up(q) {
    await q.schema.alterTable('chat_rooms').addColumn('customer_email', 'text').execute()
    await q.schema.alterTable('chat_tenants').addColumn('identity_secret_before', 'text').execute()
    for (const column of ['identity_before_until', 'identity_shown_at'])
      await q.schema.alterTable('chat_tenants').addColumn(column, 'bigint').execute()
  },
}
