/** Names of the profiles that act for one tenant of the local world. They need no file: `local.acme` is the tenant ACME of the profile `local`. */

const prefix = 'local.'
const sandboxSuffix = '-SBX'

/** Tenant of a profile name: the code of the live tenant, and whether the profile acts for its sandbox. */
export interface NamedTenant {
  readonly tenant: string
  readonly isSandbox: boolean
}

/** Returns the profile that acts for a tenant of the casino or a merchant of the chat in the local world. */
export function tenantProfile(code: string): string {
  return prefix + code.toLowerCase()
}

/** Returns the tenant that a profile name names; undefined for a profile that has a file. */
export function tenantOfProfile(name: string): NamedTenant | undefined {
  if (!/^local\.[a-z0-9][a-z0-9-]{0,62}$/.test(name)) return undefined
  const code = name.slice(prefix.length).toUpperCase()
  const isSandbox = code.endsWith(sandboxSuffix) && code.length > sandboxSuffix.length
  return { tenant: isSandbox ? code.slice(0, -sandboxSuffix.length) : code, isSandbox }
}
