import type { NamedProfile } from '../../world/config/profile-schema.ts'
import { isLive } from '../../world/config/profiles.ts'

/** Returns the line that names the profile before a command writes: its addresses, and LIVE for real money. */
export function bannerOf(named: NamedProfile): string {
  const { name, profile } = named
  if (profile.kind === 'local') return `Profile ${name}: local world`
  const addresses = [profile.casino, profile.gateway, profile.chat].flatMap((access) =>
    access ? [access.baseUrl] : [],
  )
  return `Profile ${name}${isLive(profile) ? ', LIVE' : `, ${profile.environment}`}: ${[...new Set(addresses)].join(', ')}`
}
