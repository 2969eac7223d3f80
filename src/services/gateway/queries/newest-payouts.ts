import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/schema/index.ts'
import type { GatewayEnvironment } from '../../../domain/chains/networks.ts'

/** Returns the newest payouts of the demo merchant of an environment, for completion of command lines. */
export async function newestPayouts(q: Kysely<Tables>, environment: GatewayEnvironment, limit: number) {
  const row = await q
    .selectFrom('gateway_environments')
    .select('demo')
    .where('environment', '=', environment)
    .executeTakeFirst()
  if (!row?.demo) return []
  const { merchantId }: { merchantId: string } = JSON.parse(row.demo)
  return q
    .selectFrom('gateway_payouts')
    .select(['id', 'amount', 'currency', 'status'])
    .where('merchant', '=', merchantId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
