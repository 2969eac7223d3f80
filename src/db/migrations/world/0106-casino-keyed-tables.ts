import type { Migration } from '../../migrate.ts'

/**
 * Stores nonces and transfers in the order of the keys that find them, with no other key or index: a request then changes
 * fewer pages. Nothing reads a transfer by its id or a player's transfers by time, and expired nonces are found by a
 * sweep over the table.
 */
export const casinoKeyedTables: Migration = {
  name: '0106-casino-keyed-tables',
  async up(q) {
    for (const index of droppedIndexes) await q.schema.dropIndex(index).execute()
  },
  storedByKey: [
    {
      name: 'casino_nonces',
      columns: [
        ['key_id', 'text'],
        ['nonce', 'text'],
        ['stamp', 'bigint'],
        ['expires_at', 'bigint'],
      ],
      key: ['key_id', 'nonce'],
    },
    {
      name: 'casino_transfers',
      columns: [
        ['id', 'text'],
        ['tenant', 'text'],
        ['txn_id', 'text'],
        ['player_id', 'text'],
        ['dir', 'text'],
        ['amount', 'text'],
        ['change', 'text'],
        ['balance', 'text'],
        ['at', 'bigint'],
      ],
      // One player, one txnId, one transfer: the database enforces it in addition to the use case.
      key: ['tenant', 'txn_id', 'player_id'],
    },
  ],
}

const droppedIndexes = [
  'casino_nonces_by_expires_at',
  'casino_transfers_by_player_id_at',
  'casino_transfers_by_tenant_txn_id_player_id',
] as const
