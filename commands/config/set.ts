import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { Problem } from '../../src/kit/problem.ts'
import { changeUserSetting, type SettingName, settingNames, shown } from '../../src/world/config/config.ts'
import { defaultProfile, isLive, readProfile } from '../../src/world/config/profiles.ts'

export default class ConfigSet extends CountroomCommand {
  static override summary = 'Set a value in your settings file'
  static override description =
    'An environment variable or a project file overrides it. To see the effective value, run "countroom config show".'
  static override examples = ['countroom config set logLevel warn', 'countroom config set requireProfile true']
  static override exits = ['not-found'] as const
  static override audits = true
  static override args = {
    name: Args.string({ required: true, description: 'Setting', options: settingNames }),
    value: Args.string({ required: true, description: 'Value' }),
  }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) =>
    Type.Object({ name: Type.String(), value: Type.String(), file: Type.String(), changed: Type.Boolean() })

  override async run() {
    const { args } = await this.parse(ConfigSet)
    const { value } = args
    // The parser accepts only these names.
    const name = args.name as SettingName
    if (name === 'profile' && isLive(readProfile(this.settings, value).profile)) {
      throw new Problem(
        'CONFLICT',
        `"${value}" is a live profile and cannot be the default. Use --profile ${value} or COUNTROOM_PROFILE=${value}`,
        {
          profile: value,
        },
      )
    }
    await this.services.auditSettings(defaultProfile(this.settings))
    changeUserSetting(this.settings.paths, name, value, { isDryRun: this.isDryRun })
    this.note(this.isDryRun ? `Would set ${name}` : `Set ${name}`)
    return { name, value: String(shown(name, value)), file: this.settings.files.user, changed: !this.isDryRun }
  }
}
