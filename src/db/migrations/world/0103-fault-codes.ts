import type { Migration } from '../../migrate.ts'

/** Faults can refuse with an error code of the API. */
export const faultCodes: Migration = {
  name: '0103-fault-codes',
  async up(q) {
    await q.schema.alterTable('store_faults').addColumn('code', 'text').execute()
  },
}
