import type { Migration } from '../../migrate.ts'

/** Token buckets of the chat, for worlds that several processes serve. */
export const chatBuckets: Migration = {
  name: '0109-chat-buckets',
  async up(q) {
    await q.schema
      .createTable('chat_buckets')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('level', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
    await q.schema.createIndex('chat_buckets_by_at').on('chat_buckets').column('at').execute()
  },
}
