import type { MerchantRow } from '../../db/schema/gateway.ts'
import type { Reader } from '../../db/store.ts'
import { refuse } from './api/contract.ts'
import { environmentOf } from './queries/merchants.ts'

/** Whether an account may take and move money: it must be verified, and neither it nor its side of the gateway frozen. */

/** Passes, or refuses with FROZEN, or with FORBIDDEN for an account whose verification is awaited. */
export async function checkMayMove(reader: Reader, merchant: MerchantRow): Promise<void> {
  if ((await environmentOf(reader, merchant.environment))?.frozen === 1)
    throw refuse('FROZEN', 'The platform is frozen for the time being')
  if (merchant.frozen === 1) throw refuse('FROZEN', 'The account is frozen for the time being')
  if (merchant.verified === 0)
    throw refuse(
      'FORBIDDEN',
      'The account is not verified yet: until then it can look, and neither take nor move money',
    )
}
