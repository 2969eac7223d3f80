import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { Problem } from '../../src/kit/problem.ts'
import { zoneNamed } from '../../src/world/config/profile-schema.ts'
import { readProfile, saveProfile } from '../../src/world/config/profiles.ts'

export default class ProfilesSet extends CountroomCommand {
  static override summary = "Change a profile's time zone, and nothing else of it"
  static override description =
    'The zone is the one in which the platform counts the days of this tenant: "today", the daily summary and the days of reconciliation are its days. Keys and addresses stay as they are; other keys come with "profiles add --force". A local profile has none of its own: there the tenant has it.'
  static override examples = [
    'countroom profiles set staging --timezone Asia/Taipei',
    { command: 'countroom profiles set house --timezone Europe/Malta --dry-run', description: 'Only check it' },
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override completes = { name: 'profiles', timezone: 'zones' }
  static override args = { name: Args.string({ required: true, description: 'The profile' }) }
  static override flags = {
    timezone: Flags.string({
      summary: 'The zone of its days, by its name in the IANA list',
      required: true,
      helpValue: 'ZONE',
    }),
    ...dryRunFlag,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({
      name: Type.String(),
      timezone: Type.String(),
      before: Type.String({ description: 'The zone it had' }),
      changed: Type.Boolean(),
      file: Type.Union([Type.String(), Type.Null()], { description: 'Null where nothing was written' }),
      dryRun: Type.Boolean(),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(ProfilesSet)
    const timezone = zoneNamed(flags.timezone)
    const { name, profile } = readProfile(this.settings, args.name)
    if (profile.kind === 'local' || profile.casino === undefined)
      throw new Problem(
        'CONFLICT',
        profile.kind === 'local'
          ? `"${name}" is local and has no zone of its own: it is its tenant's`
          : `"${name}" has no casino, and so no zone`,
        { profile: name },
      )
    const before = profile.casino.timezone
    const isSame = before === timezone
    const isWritten = !isSame && !this.isDryRun
    const casino = { ...profile.casino, timezone }
    const file = isWritten ? saveProfile(this.settings.paths, { name, profile: { ...profile, casino } }) : null
    const told = this.isDryRun ? 'would count' : 'counts'
    this.note(
      isSame
        ? `${name} counts its days in ${timezone} already`
        : `${name} ${told} its days in ${timezone}, not in ${before}`,
    )
    if (!isSame)
      this.footnote(
        `Days that were reconciled stay noted as days in ${before}. "countroom reconcile daily --profile ${name}" says so where the platform counts in another zone.`,
      )
    return { name, timezone, before, changed: isWritten, file, dryRun: this.isDryRun }
  }
}
