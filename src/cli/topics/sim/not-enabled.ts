import { isProblem, Problem } from '../../../kit/problem.ts'
import type { Config } from '../../../world/config/config.ts'
import type { Profile } from '../../../world/config/profile-schema.ts'
import { profileNames, readProfile } from '../../../world/config/profiles.ts'
import { tenantProfile } from '../../../world/config/tenant-profile.ts'
import type { CommandContext } from '../../context/context.ts'
import { typedCommand } from '../../framework/shell-quote.ts'
import { codeOf } from '../console/tenant-code.ts'

/** Runs work at tables of a tenant. If one is not enabled, the error ends with the command that enables it. */
export async function withEnableHint<Result>(
  context: CommandContext,
  tenant: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isProblem(error) || typeof error.detail['disabledTable'] !== 'string') throw error
    const profile = await profileOf(context, tenant)
    const enable = typedCommand('tables enable', [error.detail['disabledTable']], { profile: profile ?? undefined })
    const text =
      profile === null
        ? `No profile acts for ${tenant} in this world, so first add one with its keys ("countroom profiles add")`
        : `To enable it: ${enable}`
    throw new Problem(
      error.code,
      `${error.message}. ${text}`,
      { ...error.detail, next: profile === null ? [] : [enable] },
      { cause: error },
    )
  }
}

/** Returns the profile that acts for a tenant of this world: undefined for the one in use, null without any. */
async function profileOf(context: CommandContext, tenant: string): Promise<string | undefined | null> {
  const { settings, profile: used } = context
  if (used.profile.kind !== 'local') return null
  const { db } = used.profile
  const others = profileNames(settings.paths).filter((name) => name !== used.name)
  for (const name of [used.name, ...others, tenantProfile(tenant)]) {
    const profile = name === used.name ? used.profile : readable(settings, name)
    if (profile?.kind !== 'local' || profile.db !== db) continue
    if ((await codeOf(context, profile)) === tenant) return name === used.name ? undefined : name
  }
  return null
}

/** Returns a profile, or undefined for a damaged one, which the list of profiles reports. */
function readable(settings: Config, name: string): Profile | undefined {
  try {
    return readProfile(settings, name).profile
  } catch (error) {
    if (isProblem(error)) return undefined
    throw error
  }
}
