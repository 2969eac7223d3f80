import type { Kysely } from 'kysely'
import type { Migration } from '../../migrate.ts'

/**
 * Chat state that was in the memory of one process and that all processes on a database share; and a merchant's
 * settings for uploads and room tokens.
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
    // From the machine's randomness even in a seeded world: it distinguishes two databases of one seed.
    const life = crypto.randomUUID()
    await (q as Kysely<{ chat_life: { life: string } }>).insertInto('chat_life').values({ life }).execute()
    await q.schema
      .createIndex('chat_spent_tickets_by_expires_at')
      .on('chat_spent_tickets')
      .column('expires_at')
      .execute()
  },
}
