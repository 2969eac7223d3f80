import type { Migration } from '../../migrate.ts'

/** Pictures of agents. */
export const chatFaces: Migration = {
  name: '0132-chat-faces',
  async up(q) {
    await q.schema
      .createTable('chat_faces')
      .addColumn('agent_id', 'text', (column) => column.primaryKey())
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('mark', 'text', (column) => column.notNull())
      .addColumn('content_type', 'text', (column) => column.notNull())
      .addColumn('picture', 'text', (column) => column.notNull())
      .execute()
    await q.schema.createIndex('chat_faces_by_tenant').on('chat_faces').column('tenant').execute()
  },
}
