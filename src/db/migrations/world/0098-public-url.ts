import type { Migration } from '../../migrate.ts'

/** The base of the URLs that a world hands out, for the commands beside the process that serves it. */
export const publicUrl: Migration = {
  name: '0098-public-url',
  async up(q) {
    await q.schema.alterTable('store_world').addColumn('public_url', 'text').execute()
  },
}
