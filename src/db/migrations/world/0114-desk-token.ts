import type { Migration } from '../../migrate.ts'

/** Token of the serving process, for commands that ask it for what only it has in memory. */
export const deskToken: Migration = {
  name: '0114-desk-token',
  async up(q) {
    await q.schema.alterTable('store_world').addColumn('desk_token', 'text').execute()
  },
}
