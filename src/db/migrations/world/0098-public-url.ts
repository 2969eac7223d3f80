import type { Migration } from '../../migrate.ts'

/** Base of the URLs that a world hands out, for commands that run next to the serving process. */
export const publicUrl: Migration = {
  name: '0098-public-url',
  async up(q) {
    await q.schema.alterTable('store_world').addColumn('public_url', 'text').execute()
  },
}
