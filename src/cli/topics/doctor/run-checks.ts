import { existsSync } from 'node:fs'
import { withoutPassword } from '../../../db/engines/database-name.ts'
import { isProblem } from '../../../kit/problem.ts'
import {
  type Check,
  diskCheck,
  failure,
  foldersCheck,
  nodeCheck,
  pass,
  settingsCheck,
} from '../../../operator/doctor.ts'
import type { Config } from '../../../world/config/config.ts'
import type { NamedProfile } from '../../../world/config/profile-schema.ts'
import { isLive } from '../../../world/config/profiles.ts'
import type { CommandContext } from '../../context/context.ts'
import { glyphsFor } from '../../terminal/glyphs.ts'
import { checksText, firstFailure, tally, tallyText } from '../profiles/checks-view.ts'
import { runCheckSteps } from '../profiles/run-check-steps.ts'
import { serviceSteps } from '../profiles/service-checks.ts'
import { databaseChecks } from './database-checks.ts'

/** Checks the machine, the settings, the databases and the services, and prints one line per check. */
export async function runChecks(context: CommandContext) {
  const { screen, settings } = context
  const { named, checks } = await collectChecks(context)
  const { paintOut: paint, width } = screen
  context.log(checksText(checks, { glyphs: glyphsFor(process.stdout, settings.env), paint, width: width() }))
  const counts = tally(checks)
  context.footnote(tallyText(counts))
  const failed = firstFailure(checks)
  if (failed !== undefined) context.endWith(...failed)
  return { profile: named?.name ?? null, checks, counts }
}

/** Runs the checks as steps. Without a valid profile, databases and services are not checked. */
async function collectChecks(context: CommandContext) {
  const { screen, settings } = context
  const { named, check } = profileCheck(context)
  const own = [...machineChecks(settings), settingsCheck(settingSources(settings)), check]
  const checks = await runCheckSteps(screen, [
    { title: 'Machine, settings and profile', check: async () => own },
    ...(named
      ? [{ title: 'Databases', check: () => databaseChecks(settings, named) }, ...serviceSteps(named, settings)]
      : []),
  ])
  return { named, checks }
}

const machineChecks = ({ paths }: Config) => [
  nodeCheck(process.versions.node),
  foldersCheck({ ...paths }),
  diskCheck(paths.state),
]

/** Returns the files and variables that the settings come from. */
function settingSources({ files, sources }: Config): string[] {
  const present = [files.user, files.project].filter((file) => file !== undefined && existsSync(file))
  const variables = Object.values(sources).flatMap(({ from, origin }) => (from === 'environment' ? [origin] : []))
  return [...present, ...variables].filter((each) => each !== undefined)
}

/** Checks that this run has a valid profile. */
function profileCheck(context: CommandContext): { named?: NamedProfile; check: Check } {
  const id = 'profile'
  const title = 'Profile'
  try {
    const named = context.profile
    context.services.nameTarget()
    const { name, profile } = named
    const description =
      profile.kind === 'local' ? `local, ${withoutPassword(profile.db)}` : `remote, ${profile.environment}`
    return { named, check: { id, title, ...pass(`${name}: ${description}${isLive(profile) ? ' (real money)' : ''}`) } }
  } catch (error) {
    if (!isProblem(error)) throw error
    const fix = 'List profiles: countroom profiles list. Add one: countroom help profiles'
    return { check: failure(id, title, error, fix) }
  }
}
