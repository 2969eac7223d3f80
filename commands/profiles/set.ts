import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { Problem } from '../../src/kit/problem.ts'
import { zoneNamed } from '../../src/world/config/profile-schema.ts'
import { readProfile, saveProfile } from '../../src/world/config/profiles.ts'

export default class ProfilesSet extends CountroomCommand {
  static override summary = 'Set the time zone of a profile'
  static override description =
    'The platform counts the days of the tenant in this time zone: "today", the daily summary and the days of reconciliation. Keys and addresses stay as they are; to replace keys, use "profiles add --force". A local profile has no time zone; the tenant has it.'
  static override examples = [
    'countroom profiles set staging --timezone Asia/Taipei',
    { command: 'countroom profiles set house --timezone Europe/Malta --dry-run', description: 'Validate only' },
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override completes = { name: 'profiles', timezone: 'zones' }
  static override audits = true
  static override args = { name: Args.string({ required: true, description: 'Profile' }) }
  static override flags = {
    timezone: Flags.string({
      summary: 'IANA time zone of the days',
      required: true,
      helpValue: 'ZONE',
    }),
    ...dryRunFlag,
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      name: Type.String(),
      timezone: Type.String(),
      before: Type.String({ description: 'Previous time zone' }),
      changed: Type.Boolean(),
      file: Type.Union([Type.String(), Type.Null()], { description: 'Null if nothing was written.' }),
      dryRun: Type.Boolean(),
    })

  override async run() {
    const { args, flags } = await this.parse(ProfilesSet)
    const timezone = zoneNamed(flags.timezone)
    const { name, profile } = readProfile(this.settings, args.name)
    if (profile.kind === 'local' || profile.casino === undefined)
      throw new Problem(
        'CONFLICT',
        profile.kind === 'local'
          ? `"${name}" is a local profile and has no time zone. Set that of the tenant: countroom console tenants set ${profile.tenant?.toUpperCase() ?? 'DEMO'} --timezone ${timezone}`
          : `"${name}" has no casino section, so it has no time zone`,
        { profile: name },
      )
    const before = profile.casino.timezone
    const isSame = before === timezone
    const isWritten = !isSame && !this.isDryRun
    const casino = { ...profile.casino, timezone }
    if (isWritten) await this.services.auditSettings({ name, profile })
    const file = isWritten ? saveProfile(this.settings.paths, { name, profile: { ...profile, casino } }) : null
    const verb = this.isDryRun ? 'would use' : 'now uses'
    this.note(
      isSame
        ? `${name} already uses the time zone ${timezone}`
        : `${name} ${verb} the time zone ${timezone} instead of ${before}`,
    )
    if (!isSame)
      this.footnote(
        `Days reconciled so far were counted in ${before}. If the platform uses another zone, this command reports it: countroom reconcile daily --profile ${name}`,
      )
    return { name, timezone, before, changed: isWritten, file, dryRun: this.isDryRun }
  }
}
