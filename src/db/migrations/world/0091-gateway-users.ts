import type { Migration } from '../../migrate.ts'

/** What a console user's token may be used for: a JSON list of permissions, or null for all, as every user had them so far. */
export const gatewayUsers: Migration = {
  name: '0091-gateway-users',
  async up(q) {
    await q.schema.alterTable('gateway_users').addColumn('permissions', 'text').execute()
    await q.schema.createIndex('gateway_users_by_merchant').on('gateway_users').column('merchant').execute()
  },
}
