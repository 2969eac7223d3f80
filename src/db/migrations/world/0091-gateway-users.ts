import type { Migration } from '../../migrate.ts'

/** Permissions of a console user's token: a JSON list, or null for all, as for existing users. */
export const gatewayUsers: Migration = {
  name: '0091-gateway-users',
  async up(q) {
    await q.schema.alterTable('gateway_users').addColumn('permissions', 'text').execute()
    await q.schema.createIndex('gateway_users_by_merchant').on('gateway_users').column('merchant').execute()
  },
}
