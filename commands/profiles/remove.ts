import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { changeUserSetting, readSettings } from '../../src/world/config/config.ts'
import { hasProfile, localName, readProfile, removeProfile } from '../../src/world/config/profiles.ts'

export default class ProfilesRemove extends CountroomCommand {
  static override summary = 'Remove a profile and its keys from this machine'
  static override description = 'The keys stay valid at the services. If you no longer need them, revoke them there.'
  static override examples = ['countroom profiles remove staging']
  static override exits = ['not-found', 'conflict'] as const
  static override completes = { name: 'profiles' }
  static override audits = true
  static override args = { name: Args.string({ required: true, description: 'Profile' }) }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ name: Type.String(), changed: Type.Boolean() })

  override async run() {
    const { args } = await this.parse(ProfilesRemove)
    const { paths, files } = this.settings
    const exists = hasProfile(paths, args.name)
    if (exists) await this.services.auditSettings(readProfile(this.settings, args.name))
    if (!this.isDryRun || !exists) removeProfile(this.settings, args.name)
    // If the default named a missing profile, every later run would fail.
    if (!this.isDryRun && args.name !== localName && readSettings(files.user).profile === args.name) {
      changeUserSetting(paths, 'profile', undefined)
      this.warn(`"${args.name}" was the default profile. The default is now "${localName}"`)
    }
    this.note(this.isDryRun ? `Would remove ${args.name}` : `Removed ${args.name}`)
    return { name: args.name, changed: !this.isDryRun }
  }
}
