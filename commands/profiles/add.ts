import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { readJsonInput } from '../../src/cli/terminal/read-input.ts'
import { askProfile } from '../../src/cli/topics/profiles/prompt.ts'
import { profileRow, profileRowSchema } from '../../src/cli/topics/profiles/view.ts'
import { environments } from '../../src/domain/account/state.ts'
import { Problem } from '../../src/kit/problem.ts'
import { hasProfile, named, profileFromDocument, saveProfile } from '../../src/world/config/profiles.ts'

export default class ProfilesAdd extends CountroomCommand {
  static override summary = 'Add a remote profile from a document of keys, or by asking'
  static override description =
    'The document has the form of the file that "countroom serve --ready-file" writes, with any of its sections casino, gateway and chat. Keys never come from a flag: a flag is seen in the list of processes and stays in the history of the shell. The profile is kept readable by its owner alone.'
  static override examples = [
    { command: 'countroom profiles add staging --from ready.json', description: 'The sandbox of an installation' },
    { command: 'countroom profiles add house --environment live --from - < keys.json', description: 'Real money' },
    { command: 'countroom profiles add staging', description: 'Asked on the terminal' },
  ]
  static override exits = ['confirmation', 'conflict'] as const
  static override completes = { from: 'files' }
  static override args = { name: Args.string({ required: true, description: 'What to call it' }) }
  static override flags = {
    from: Flags.string({ summary: 'The document, or - for stdin', helpValue: 'FILE|-' }),
    environment: Flags.string({ summary: 'Which of its keys to take', options: [...environments], default: 'sandbox' }),
    force: Flags.boolean({ summary: 'Replace a profile of that name' }),
    ...dryRunFlag,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const row = await profileRowSchema()
    return Type.Object({ ...row.properties, file: Type.Union([Type.String(), Type.Null()]) })
  }

  override async run() {
    const { args, flags } = await this.parse(ProfilesAdd)
    const { paths } = this.settings
    const name = named(args.name)
    const environment = flags.environment === 'live' ? 'live' : 'sandbox'
    if (hasProfile(paths, name) && !flags.force) {
      throw new Problem('PROFILE_EXISTS', `There is a profile "${name}" already; --force replaces it`, {
        profile: name,
      })
    }
    const document =
      flags.from === undefined ? await askProfile(this.prompts, environment) : await readJsonInput(flags.from)
    const profile = profileFromDocument(document, environment)
    const file = this.isDryRun ? null : saveProfile(paths, { name, profile })
    const row = profileRow({ name, profile }, this.settings)
    this.fields(row, ['name', 'environment', 'services', 'target'])
    this.note(this.isDryRun ? `Would add ${name}` : `Added ${name}. Use it with --profile ${name}`)
    return { ...row, file }
  }
}
