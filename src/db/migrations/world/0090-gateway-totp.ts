import type { Migration } from '../../migrate.ts'

/** The time step of the last code a merchant's batch was verified with: no code of it or before counts again, in any process. */
export const gatewayTotp: Migration = {
  name: '0090-gateway-totp',
  async up(q) {
    await q.schema.alterTable('gateway_merchants').addColumn('totp_step', 'integer').execute()
  },
}
