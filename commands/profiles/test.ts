import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { glyphsFor } from '../../src/cli/terminal/glyphs.ts'
import { checksSchema, checksText, firstFailure, tally, tallyText } from '../../src/cli/topics/profiles/checks-view.ts'
import { readProfile } from '../../src/world/config/profiles.ts'

export default class ProfilesTest extends CountroomCommand {
  static override summary = 'Test the services and keys of a profile'
  static override description =
    'Sends one read-only request to each service. For a full check of the installation, run "countroom doctor".'
  static override examples = ['countroom profiles test', 'countroom profiles test staging']
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override completes = { name: 'profiles' }
  static override args = { name: Args.string({ description: 'Profile (default: the one in use)' }) }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object(checksSchema(shapes))
  }

  override async run() {
    const { args } = await this.parse(ProfilesTest)
    const named = args.name === undefined ? this.profile : readProfile(this.settings, args.name)
    const { testServices } = await import('../../src/cli/topics/profiles/service-checks.ts')
    const checks = await testServices(this, named)
    const { paintOut: paint, width } = this.screen
    this.log(checksText(checks, { glyphs: glyphsFor(process.stdout, this.settings.env), paint, width: width() }))
    const counts = tally(checks)
    this.footnote(`${named.name}: ${tallyText(counts)}`)
    const failed = firstFailure(checks)
    if (failed !== undefined) this.endWith(...failed)
    return { profile: named.name, checks, counts }
  }
}
