import { isProblem, Problem } from '../../../kit/problem.ts'
import { hasProfile, localName, named, saveProfile } from '../../../world/config/profiles.ts'
import type { CommandContext } from '../../context/context.ts'

/**
 * Returns a function that saves a profile for a new tenant of this world, and returns its name; null without a name or in a
 * dry run. Rejects a name that is invalid or taken, before the tenant is created.
 */
export function profileToSave(context: CommandContext, text: string | undefined): (tenant: string) => string | null {
  if (text === undefined) return () => null
  const { settings, profile: used, isDryRun } = context
  const name = named(text)
  if (name === localName || hasProfile(settings.paths, name))
    throw new Problem(
      'PROFILE_EXISTS',
      `Profile "${name}" already exists. Choose another name, or remove it first: countroom profiles remove ${name}`,
      {
        profile: name,
      },
    )
  return (tenant) => {
    if (isDryRun || used.profile.kind !== 'local') return null
    try {
      saveProfile(settings.paths, { name, profile: { kind: 'local', db: used.profile.db, tenant } })
    } catch (error) {
      // The tenant exists by then, and its secrets are shown only once: they are printed with the failure.
      if (!isProblem(error)) throw error
      context.endWith(error.code, `Tenant ${tenant} was created, but its profile was not saved: ${error.message}`)
      return null
    }
    context.note(`Saved the profile ${name}. To use it: countroom account show --profile ${name}`)
    return name
  }
}
