import type { Migration } from '../../migrate.ts'

/** Adds the secret of the link under which a customer names the address of an approved refund. */
export const refundLinks: Migration = {
  name: '0130-refund-links',
  async up(q) {
    await q.schema.alterTable('gateway_refunds').addColumn('token', 'text').execute()
  },
}
