import type { Migration } from '../../migrate.ts'

/** Records the load of a snapshot that is running, so that one that was killed is reported. */
export const snapshotLoads: Migration = {
  name: '0140-snapshot-loads',
  async up(q) {
    await q.schema.alterTable('store_world').addColumn('loading', 'text').execute()
  },
}
