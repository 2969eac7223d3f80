import type { Config } from '../../../world/config/config.ts'
import { maskedProfile, type NamedProfile, type Profile } from '../../../world/config/profile-schema.ts'
import { isLive } from '../../../world/config/profiles.ts'

/** A profile as it is listed: what it reaches, and never with what keys. */
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

function servicesOf(profile: Profile): string[] {
  const all = ['casino', 'gateway', 'chat'] as const
  return profile.kind === 'local' ? ['casino'] : all.filter((service) => profile[service] !== undefined)
}

function targetOf(profile: Profile): string {
  const safe = maskedProfile(profile)
  if (safe.kind === 'local') return safe.db
  const addresses = [safe.casino, safe.gateway, safe.chat].flatMap((access) => (access ? [access.baseUrl] : []))
  return [...new Set(addresses)].join(' ')
}

/** The schema of a row. */
export async function profileRowSchema() {
  const { Type } = await import('typebox')
  return Type.Object({
    name: Type.String(),
    kind: Type.Enum(['local', 'remote']),
    environment: Type.Union([Type.Enum(['live', 'sandbox']), Type.Null()]),
    services: Type.Array(Type.Enum(['casino', 'gateway', 'chat'])),
    target: Type.String({ description: 'The database, or the base URLs' }),
    live: Type.Boolean({ description: 'Real money elsewhere: must be named for each run' }),
    inUse: Type.Boolean({ description: 'What a run works on that names no other' }),
  })
}
