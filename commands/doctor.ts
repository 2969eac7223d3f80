import { CountroomCommand } from '../src/cli/framework/command.ts'
import { bookFlag } from '../src/cli/framework/flags.ts'
import type { Shapes } from '../src/cli/outcome/result-schema.ts'
import { checksSchema } from '../src/cli/topics/profiles/checks-view.ts'

export default class Doctor extends CountroomCommand {
  static override summary = 'Check the installation and the services, and print fixes'
  static override description =
    'Checks Node, settings, folders, disk, the profile, the databases and their schemas, open transfers and jobs. Then checks each service of the profile: address, response, clock skew, signature, rate limit and account. Changes nothing. Exits with 0 if no check failed, else with the code of the first failure.'
  static override examples = [
    'countroom doctor',
    { command: 'countroom doctor --profile house', description: 'Check another profile' },
    {
      command: 'countroom doctor --json | jq \'.data.checks[] | select(.status != "pass")\'',
      description: 'List problems for a monitor',
    },
  ]
  static override exits = ['permission', 'not-found', 'temporary', 'locked'] as const
  static override files = ['all files of countroom: read only']
  static override flags = { ...bookFlag }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object(checksSchema(shapes))
  }

  override async run() {
    await this.parse(Doctor)
    const { runChecks } = await import('../src/cli/topics/doctor/run-checks.ts')
    return runChecks(this)
  }
}
