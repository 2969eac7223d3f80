import { limits } from '../../../domain/account/plan-limits.ts'
import { isRange } from '../../../http/server/ip-allowlist.ts'
import { theTenant } from '../account/tenants.ts'
import { refuse } from '../api/contract.ts'
import { allowlistOf, replaceAllowlist } from '../queries/tenants.ts'
import type { Casino } from '../service.ts'

/** Replaces a tenant's IP allowlist; an empty one allows all addresses. */
export async function setAllowlist(app: Casino, code: string, entries: readonly string[]) {
  const wrong = entries.filter((entry) => !isRange(entry))
  if (wrong.length > 0)
    throw refuse(
      'INVALID_PARAMETER',
      `${wrong.join(', ')} ${wrong.length === 1 ? 'is not a valid' : 'are not valid'} IPv4 or IPv6 address or CIDR range`,
    )
  const distinct = [...new Set(entries)]
  if (distinct.length > limits.allowlistEntries)
    throw refuse('INVALID_PARAMETER', `An allowlist can have at most ${limits.allowlistEntries} entries`)
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    await replaceAllowlist(tx, tenant.code, distinct)
    return { companyCode: tenant.code, allowlist: await allowlistOf(tx, tenant.code) }
  })
}

export function readAllowlist(app: Casino, code: string) {
  return app.store.read(async (reader) => {
    const tenant = await theTenant(reader, code)
    return { companyCode: tenant.code, allowlist: await allowlistOf(reader, tenant.code) }
  })
}
