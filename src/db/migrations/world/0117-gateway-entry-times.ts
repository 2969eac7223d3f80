import type { Migration } from '../../migrate.ts'

/** Exports read a ledger account by account in the order of time, and pages show the newest postings of an account. */
export const gatewayEntryTimes: Migration = {
  name: '0117-gateway-entry-times',
  async up(q) {
    await q.schema
      .createIndex('gateway_entries_by_account_at')
      .on('gateway_entries')
      .columns(['account', 'at', 'posting'])
      .execute()
    await q.schema.dropIndex('gateway_entries_by_account').execute()
  },
}
