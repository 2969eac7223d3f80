import type { Migration } from '../../migrate.ts'

/** Longest interval of reality checks on the players' page. */
export const checkMinutes: Migration = {
  name: '0144-check-minutes',
  async up(q) {
    await q.schema.alterTable('casino_tenants').addColumn('check_minutes', 'integer').execute()
  },
}
