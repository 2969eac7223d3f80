import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { profileRow, profileRowSchema } from '../../src/cli/topics/profiles/view.ts'
import { isProblem } from '../../src/kit/problem.ts'
import { profileNames, readProfile } from '../../src/world/config/profiles.ts'

export default class ProfilesList extends CountroomCommand {
  static override summary = 'List the profiles'
  static override examples = ['countroom profiles list', 'countroom profiles list --json']
  static override flags = { ...listFlags }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ profiles: Type.Array(profileRowSchema(shapes)) })
  }

  override async run() {
    await this.parse(ProfilesList)
    const profiles = profileNames(this.settings.paths).flatMap((name) => {
      try {
        return [profileRow(readProfile(this.settings, name), this.settings)]
      } catch (error) {
        // A damaged file is listed with its error and does not hide the others.
        if (!isProblem(error)) throw error
        this.warn(error.message)
        return []
      }
    })
    // A path or an address that is broken between two lines cannot be copied.
    const name = { key: 'name', keep: true }
    const environment = { key: 'environment', keep: true }
    const target = { key: 'target', whole: true, keep: true }
    this.table(profiles, [name, 'inUse', 'kind', environment, 'services', target])
    return { profiles }
  }
}
