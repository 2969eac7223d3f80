import type { Config } from '../../../world/config/config.ts'
import { maskedProfile, type NamedProfile, type Profile } from '../../../world/config/profile-schema.ts'
import { isLive } from '../../../world/config/profiles.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

/** A profile in a list, without keys. */
export function profileRow({ name, profile }: NamedProfile, config: Config) {
  return {
    name,
    kind: profile.kind,
    environment: profile.environment ?? null,
    services: servicesOf(profile),
    target: targetOf(profile),
    live: isLive(profile),
    inUse: name === config.settings.profile,
  }
}

/** A local world has all services. */
function servicesOf(profile: Profile): string[] {
  const all = ['casino', 'gateway', 'chat'] as const
  return all.filter((service) => profile.kind === 'local' || profile[service] !== undefined)
}

function targetOf(profile: Profile): string {
  const safe = maskedProfile(profile)
  if (safe.kind === 'local') return safe.db
  const addresses = [safe.casino, safe.gateway, safe.chat].flatMap((access) => (access ? [access.baseUrl] : []))
  return [...new Set(addresses)].join(' ')
}

/** Schema of a row. */
export function profileRowSchema({ Type }: Shapes) {
  return Type.Object({
    name: Type.String(),
    kind: Type.Enum(['local', 'remote']),
    environment: Type.Union([Type.Enum(['live', 'sandbox']), Type.Null()]),
    services: Type.Array(Type.Enum(['casino', 'gateway', 'chat'])),
    target: Type.String({ description: 'Database, or base URLs.' }),
    live: Type.Boolean({ description: 'True for real money; such a profile must be named in each run.' }),
    inUse: Type.Boolean({ description: 'True for the default profile.' }),
  })
}
