import type { Migration } from '../../migrate.ts'

/** Postings of an account in the order of their time, so that the newest are found without reading all. */
export const ledgerOrder: Migration = {
  name: '0121-ledger-order',
  async up(q) {
    await q.schema
      .createIndex('gateway_entries_by_account_at')
      .on('gateway_entries')
      .columns(['account', 'at', 'posting'])
      .execute()
    await q.schema.dropIndex('gateway_entries_by_account').execute()
  },
}
