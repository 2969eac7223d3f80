import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { changeUserSetting, readSettings, type SettingName, settingNames } from '../../src/world/config/config.ts'
import { defaultProfile } from '../../src/world/config/profiles.ts'

export default class ConfigUnset extends CountroomCommand {
  static override summary = 'Remove a value from your settings file'
  static override examples = ['countroom config unset profile']
  static override audits = true
  static override args = {
    name: Args.string({ required: true, description: 'Setting', options: settingNames }),
  }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) =>
    Type.Object({ name: Type.String(), file: Type.String(), changed: Type.Boolean() })

  override async run() {
    const { args } = await this.parse(ConfigUnset)
    // The parser accepts only these names.
    const name = args.name as SettingName
    const file = this.settings.files.user
    const wasSet = readSettings(file)[name] !== undefined
    if (wasSet) await this.services.auditSettings(defaultProfile(this.settings))
    if (wasSet) changeUserSetting(this.settings.paths, name, undefined, { isDryRun: this.isDryRun })
    this.note(!wasSet ? `${name} was not set` : this.isDryRun ? `Would unset ${name}` : `Unset ${name}`)
    return { name, file, changed: wasSet && !this.isDryRun }
  }
}
