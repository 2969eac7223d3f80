import type { Kysely } from 'kysely'
import type { Migration } from '../../migrate.ts'

/**
 * What the chat kept in the memory of one process and all that serve one database have to know; and what a merchant's back
 * office may decide of uploads and of the tokens of its rooms.
 */
export const chatHeld: Migration = {
  name: '0094-chat-held',
  async up(q) {
    const zero = ['copies', 'copy'] as const
    for (const column of zero)
      await q.schema
        .alterTable('chat_uploads')
        .addColumn(column, 'integer', (definition) => definition.notNull().defaultTo(0))
        .execute()
    await q.schema.alterTable('chat_uploads').addColumn('writer', 'text').execute()
    await q.schema.alterTable('chat_uploads').addColumn('writer_until', 'bigint').execute()
    await q.schema
      .alterTable('chat_media')
      .addColumn('copy', 'integer', (definition) => definition.notNull().defaultTo(0))
      .execute()
    await q.schema
      .alterTable('chat_tenants')
      .addColumn('limits', 'text', (definition) => definition.notNull().defaultTo('{}'))
      .execute()
    await q.schema
      .alterTable('chat_tenants')
      .addColumn('revocations', 'integer', (definition) => definition.notNull().defaultTo(0))
      .execute()
    await q.schema
      .createTable('chat_spent_tickets')
      .addColumn('nonce', 'text', (definition) => definition.primaryKey())
      .addColumn('expires_at', 'bigint', (definition) => definition.notNull())
      .execute()
    await q.schema
      .createTable('chat_life')
      .addColumn('life', 'text', (definition) => definition.primaryKey())
      .execute()
    // By the machine's chance in a seeded world too: it tells two databases of one seed apart.
    const life = crypto.randomUUID()
    await (q as Kysely<{ chat_life: { life: string } }>).insertInto('chat_life').values({ life }).execute()
    await q.schema
      .createIndex('chat_spent_tickets_by_expires_at')
      .on('chat_spent_tickets')
      .column('expires_at')
      .execute()
  },
}
