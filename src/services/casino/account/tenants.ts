import type { TenantRow } from '../../../db/schema/casino.ts'
import type { Reader } from '../../../db/store.ts'
import { refuse } from '../api/contract.ts'
import { tenantOf } from '../queries/tenants.ts'

/** Returns the tenant with this code, or throws NOT_FOUND. */
export async function theTenant(reader: Reader, code: string): Promise<TenantRow> {
  const tenant = await tenantOf(reader, code.toUpperCase())
  if (!tenant) throw refuse('NOT_FOUND', `There is no tenant ${code}`)
  return tenant
}

/** Returns the company code of a live tenant's sandbox. */
export function sandboxCode(code: string): string {
  return `${code}-SBX`
}
