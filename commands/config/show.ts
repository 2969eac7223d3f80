import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { settingKinds, settingNames, shown } from '../../src/world/config/config.ts'
import { localName, storedDb } from '../../src/world/config/profiles.ts'

export default class ConfigShow extends CountroomCommand {
  static override summary = 'Show every setting, its value and its source'
  static override examples = [
    'countroom config show',
    'countroom config show --json',
    'COUNTROOM_PROFILE=staging countroom config show',
  ]
  static override flags = { ...listFlags }
  static override data = ({ Type }: Shapes) => {
    const text = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      settings: Type.Array(
        Type.Object({
          name: Type.String(),
          value: Type.Union([Type.String(), Type.Boolean(), Type.Null()]),
          source: Type.String({ description: 'flag, environment, project file, user file, profile or default' }),
          where: Type.Union([Type.String(), Type.Null()], {
            description: 'Name of the flag, variable, file or profile',
          }),
          variable: Type.String(),
          summary: Type.String(),
        }),
      ),
      files: Type.Object({ user: Type.String(), project: text }),
      folders: Type.Object({ config: Type.String(), state: Type.String(), cache: Type.String(), data: Type.String() }),
    })
  }

  override async run() {
    await this.parse(ConfigShow)
    const { settings: values, sources, paths, files } = this.settings
    // The stored profile "local" overrides the setting of a file.
    const isGiven = sources.db.from === 'flag' || sources.db.from === 'environment'
    const db = isGiven ? undefined : storedDb(this.settings)
    const settings = settingNames.map((name) => ({
      name,
      ...(name === 'db' && db !== undefined
        ? { value: shown(name, db) ?? null, source: 'profile', where: localName }
        : {
            value: shown(name, values[name]) ?? null,
            source: sources[name].from,
            where: sources[name].origin ?? null,
          }),
      variable: settingKinds[name].env,
      summary: settingKinds[name].summary,
    }))
    this.table(settings, ['name', 'value', 'source', 'where'])
    return { settings, files: { user: files.user, project: files.project ?? null }, folders: paths }
  }
}
