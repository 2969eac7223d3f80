import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { Problem } from '../../src/kit/problem.ts'
import { changeUserSetting } from '../../src/world/config/config.ts'
import { isLive, readProfile } from '../../src/world/config/profiles.ts'

export default class ProfilesUse extends CountroomCommand {
  static override summary = 'Set the default profile'
  static override description =
    'A live remote profile cannot be the default: pass it each time with --profile or COUNTROOM_PROFILE.'
  static override examples = ['countroom profiles use staging', 'countroom profiles use local']
  static override exits = ['not-found', 'conflict'] as const
  static override completes = { name: 'profiles' }
  static override audits = true
  static override args = { name: Args.string({ required: true, description: 'Profile' }) }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) =>
    Type.Object({ name: Type.String(), file: Type.String(), changed: Type.Boolean() })

  override async run() {
    const { args } = await this.parse(ProfilesUse)
    const { name, profile } = readProfile(this.settings, args.name)
    if (isLive(profile)) {
      throw new Problem(
        'CONFLICT',
        `"${name}" is a live profile and cannot be the default. Pass it with --profile ${name}`,
        {
          profile: name,
        },
      )
    }
    await this.services.auditSettings({ name, profile })
    changeUserSetting(this.settings.paths, 'profile', name, { isDryRun: this.isDryRun })
    this.note(this.isDryRun ? `Would use ${name}` : `Using ${name}`)
    return { name, file: this.settings.files.user, changed: !this.isDryRun }
  }
}
