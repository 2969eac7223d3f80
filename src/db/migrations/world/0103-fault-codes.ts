import type { Migration } from '../../migrate.ts'

/** Error codes of `refuse` faults. */
export const faultCodes: Migration = {
  name: '0103-fault-codes',
  async up(q) {
    await q.schema.alterTable('store_faults').addColumn('code', 'text').execute()
  },
}
