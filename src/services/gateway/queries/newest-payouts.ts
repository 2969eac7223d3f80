import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/schema/index.ts'
import type { GatewayEnvironment } from '../../../domain/chains/networks.ts'

/** Returns the newest payouts of an environment, for completion of command lines. */
export function newestPayouts(q: Kysely<Tables>, environment: GatewayEnvironment, limit: number) {
  return q
    .selectFrom('gateway_payouts')
    .select(['id', 'amount', 'currency', 'status'])
    .where('environment', '=', environment)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
