import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { profileRow, profileRowSchema } from '../../src/cli/topics/profiles/view.ts'
import { maskedProfile } from '../../src/world/config/profile-schema.ts'
import { readProfile } from '../../src/world/config/profiles.ts'

export default class ProfilesShow extends CountroomCommand {
  static override summary = 'Show a profile, with its secrets masked'
  static override examples = ['countroom profiles show', 'countroom profiles show staging --json']
  static override exits = ['not-found'] as const
  static override completes = { name: 'profiles' }
  static override args = {
    name: Args.string({ description: 'Profile (default: the one in use)' }),
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    const row = profileRowSchema(shapes)
    return Type.Object({ ...row.properties, profile: Type.Record(Type.String(), Type.Unknown()) })
  }

  override async run() {
    const { args } = await this.parse(ProfilesShow)
    const named = readProfile(this.settings, args.name ?? this.settings.settings.profile)
    const profile = maskedProfile(named.profile)
    const row = profileRow(named, this.settings)
    const parts = Object.entries(profile).flatMap(([part, value]) =>
      typeof value === 'object'
        ? Object.entries(value).map(([key, field]) => [`${part}.${key}`, field])
        : [[part, value]],
    )
    const flat: Record<string, unknown> = Object.fromEntries([['name', named.name], ...parts])
    this.fields(
      flat,
      // The keys of the profile file, as they are written there.
      Object.keys(flat).map((key) => ({ key, title: key })),
    )
    return { ...row, profile }
  }
}
