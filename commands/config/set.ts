import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../src/cli/framework/flags.ts'
import { Problem } from '../../src/kit/problem.ts'
import { changeUserSetting, type SettingName, settingNames, shown } from '../../src/world/config/config.ts'
import { isLive, readProfile } from '../../src/world/config/profiles.ts'

export default class ConfigSet extends CountroomCommand {
  static override summary = "Set one value in the user's settings file"
  static override description =
    'A variable or a project file still wins over it: countroom config show says what holds.'
  static override examples = ['countroom config set logLevel warn', 'countroom config set requireProfile true']
  static override exits = ['not-found'] as const
  static override args = {
    name: Args.string({ required: true, description: 'The setting', options: settingNames }),
    value: Args.string({ required: true, description: 'Its value' }),
  }
  static override flags = { ...dryRunFlag }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ name: Type.String(), value: Type.String(), file: Type.String(), changed: Type.Boolean() })
  }

  override async run() {
    const { args } = await this.parse(ConfigSet)
    const { value } = args
    // The parser has let only these through.
    const name = args.name as SettingName
    if (name === 'profile' && isLive(readProfile(this.settings, value).profile)) {
      throw new Problem('CONFLICT', `"${value}" is live: a live profile is named each time, never set`, {
        profile: value,
      })
    }
    changeUserSetting(this.settings.paths, name, value, { isDryRun: this.isDryRun })
    this.note(this.isDryRun ? `Would set ${name}` : `Set ${name}`)
    return { name, value: String(shown(name, value)), file: this.settings.files.user, changed: !this.isDryRun }
  }
}
