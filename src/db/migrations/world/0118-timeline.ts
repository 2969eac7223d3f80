import type { Migration } from '../../migrate.ts'

/** Adds the name of the timeline that the content belongs to. */
export const timeline: Migration = {
  name: '0118-timeline',
  async up(q) {
    await q.schema.alterTable('store_world').addColumn('timeline', 'text').execute()
  },
}
