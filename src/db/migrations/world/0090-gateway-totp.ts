import type { Migration } from '../../migrate.ts'

/** Time step of the last code that verified a merchant's batch: no code up to it counts again, in any process. */
export const gatewayTotp: Migration = {
  name: '0090-gateway-totp',
  async up(q) {
    await q.schema.alterTable('gateway_merchants').addColumn('totp_step', 'integer').execute()
  },
}
