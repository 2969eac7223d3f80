import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { readJsonInput } from '../../src/cli/terminal/read-input.ts'
import { askProfile } from '../../src/cli/topics/profiles/prompt.ts'
import { profileRow, profileRowSchema } from '../../src/cli/topics/profiles/view.ts'
import { environments } from '../../src/domain/account/state.ts'
import { Problem } from '../../src/kit/problem.ts'
import { hasProfile, named, profileFromDocument, saveProfile } from '../../src/world/config/profiles.ts'

export default class ProfilesAdd extends CountroomCommand {
  static override summary = 'Add a remote profile from a file with its keys, or interactively'
  static override description =
    'The file has the form that "countroom serve --ready-file" writes, with any of the sections casino, gateway and chat. Keys are never taken from a flag value, because other users can see it in the process list. The profile is stored with mode 0600.'
  static override examples = [
    { command: 'countroom profiles add staging --from ready.json', description: 'Add the sandbox of an instance' },
    {
      command: 'countroom profiles add house --environment live --from - < keys.json',
      description: 'Add a live profile (real money)',
    },
    { command: 'countroom profiles add staging', description: 'Enter the values on the terminal' },
  ]
  static override exits = ['confirmation', 'conflict'] as const
  static override completes = { from: 'files' }
  static override audits = true
  static override args = { name: Args.string({ required: true, description: 'Name of the new profile' }) }
  static override flags = {
    from: Flags.string({ summary: 'JSON file with the keys, or - for stdin', helpValue: 'FILE|-' }),
    environment: Flags.string({
      summary: 'Environment whose keys to use',
      options: [...environments],
      default: 'sandbox',
    }),
    force: Flags.boolean({ summary: 'Replace an existing profile' }),
    ...dryRunFlag,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    const row = profileRowSchema(shapes)
    return Type.Object({ ...row.properties, file: Type.Union([Type.String(), Type.Null()]) })
  }

  override async run() {
    const { args, flags } = await this.parse(ProfilesAdd)
    const { paths } = this.settings
    const name = named(args.name)
    const environment = flags.environment === 'live' ? 'live' : 'sandbox'
    if (hasProfile(paths, name) && !flags.force) {
      throw new Problem('PROFILE_EXISTS', `Profile "${name}" already exists. To replace it, add --force`, {
        profile: name,
      })
    }
    const document =
      flags.from === undefined ? await askProfile(this.prompts, environment) : await readJsonInput(flags.from)
    const profile = profileFromDocument(document, environment)
    await this.services.auditSettings({ name, profile })
    const file = this.isDryRun ? null : saveProfile(paths, { name, profile })
    const row = profileRow({ name, profile }, this.settings)
    this.fields(row, ['name', 'environment', 'services', 'target'])
    this.note(this.isDryRun ? `Would add ${name}` : `Added ${name}. To use it, pass --profile ${name}`)
    return { ...row, file }
  }
}
