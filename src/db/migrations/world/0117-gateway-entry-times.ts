import type { Migration } from '../../migrate.ts'

/** Exports read a ledger account by account in the order of time, and pages show the newest postings of an account. */
export const gatewayEntryTimes: Migration = {
  name: '0117-gateway-entry-times',
  indexed: [{ name: 'gateway_entries_by_account_at', table: 'gateway_entries', columns: ['account', 'at', 'posting'] }],
  async up(q) {
    await q.schema.dropIndex('gateway_entries_by_account').execute()
  },
}
