import type { MerchantRow } from '../../db/schema/gateway.ts'
import type { Reader } from '../../db/store.ts'
import { refuse } from './api/contract.ts'
import { environmentOf } from './queries/merchants.ts'

/**
 * Checks that an account may receive and move money. Throws FROZEN if it or its environment is frozen, and FORBIDDEN if
 * it is not verified.
 */
export async function checkMayMove(reader: Reader, merchant: MerchantRow): Promise<void> {
  if ((await environmentOf(reader, merchant.environment))?.frozen === 1)
    throw refuse('FROZEN', 'The platform is temporarily frozen')
  if (merchant.frozen === 1) throw refuse('FROZEN', 'The account is temporarily frozen')
  if (merchant.verified === 0)
    throw refuse('FORBIDDEN', 'The account is not verified yet: it can read data, but not receive or move money')
}
