import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../src/cli/framework/flags.ts'
import { Problem } from '../../src/kit/problem.ts'
import { changeUserSetting } from '../../src/world/config/config.ts'
import { isLive, readProfile } from '../../src/world/config/profiles.ts'

export default class ProfilesUse extends CountroomCommand {
  static override summary = 'Choose the profile that is used when none is named'
  static override description =
    'A live remote profile is refused: it is named each time, with --profile or COUNTROOM_PROFILE.'
  static override examples = ['countroom profiles use staging', 'countroom profiles use local']
  static override exits = ['not-found', 'conflict'] as const
  static override completes = { name: 'profiles' }
  static override args = { name: Args.string({ required: true, description: 'The profile' }) }
  static override flags = { ...dryRunFlag }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ name: Type.String(), file: Type.String(), changed: Type.Boolean() })
  }

  override async run() {
    const { args } = await this.parse(ProfilesUse)
    const { name, profile } = readProfile(this.settings, args.name)
    if (isLive(profile)) {
      throw new Problem('CONFLICT', `"${name}" is live and is never the default: name it with --profile ${name}`, {
        profile: name,
      })
    }
    changeUserSetting(this.settings.paths, 'profile', name, { isDryRun: this.isDryRun })
    this.note(this.isDryRun ? `Would use ${name}` : `Using ${name}`)
    return { name, file: this.settings.files.user, changed: !this.isDryRun }
  }
}
