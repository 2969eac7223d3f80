import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../src/cli/framework/flags.ts'
import { changeUserSetting, readSettings } from '../../src/world/config/config.ts'
import { hasProfile, localName, removeProfile } from '../../src/world/config/profiles.ts'

export default class ProfilesRemove extends CountroomCommand {
  static override summary = 'Forget a profile and its keys'
  static override description = 'The keys stay valid at the services; revoke them there when they are no longer wanted.'
  static override examples = ['countroom profiles remove staging']
  static override exits = ['not-found', 'conflict'] as const
  static override completes = { name: 'profiles' }
  static override args = { name: Args.string({ required: true, description: 'The profile' }) }
  static override flags = { ...dryRunFlag }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ name: Type.String(), changed: Type.Boolean() })
  }

  override async run() {
    const { args } = await this.parse(ProfilesRemove)
    const { paths, files } = this.settings
    const exists = hasProfile(paths, args.name)
    if (!this.isDryRun || !exists) removeProfile(this.settings, args.name)
    // A default that names nothing would make every later run fail.
    if (!this.isDryRun && args.name !== localName && readSettings(files.user).profile === args.name) {
      changeUserSetting(paths, 'profile', undefined)
      this.warn(`"${args.name}" was in use; from now on it is "${localName}"`)
    }
    this.note(this.isDryRun ? `Would remove ${args.name}` : `Removed ${args.name}`)
    return { name: args.name, changed: !this.isDryRun }
  }
}
