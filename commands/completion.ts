import { CountroomCommand } from '../src/cli/framework/command.ts'
import { type Shell, shells } from '../src/cli/framework/completion.ts'
import { scripts } from '../src/cli/framework/completion-scripts.ts'
import { Args } from '../src/cli/framework/flags.ts'
import type { Shapes } from '../src/cli/outcome/result-schema.ts'

export default class Completion extends CountroomCommand {
  static override summary = 'Print the completion script for a shell'
  static override description =
    'The script calls countroom when you press Tab. Completion reads the command list, names that earlier runs stored, and the book and the local world of the profile named on the line. It changes nothing and sends no request to a platform. A book at a postgres:// address is read if it responds within 150 ms.'
  static override examples = [
    'source <(countroom completion bash)',
    'countroom completion zsh > "$fpath[1]/_countroom"',
    'countroom completion fish | source',
    'countroom completion powershell | Out-String | Invoke-Expression',
  ]
  static override args = {
    shell: Args.string({ required: true, description: 'Shell', options: [...shells] }),
  }
  static override data = ({ Type }: Shapes) => Type.Object({ shell: Type.Enum(shells), script: Type.String() })

  override async run() {
    const { args } = await this.parse(Completion)
    const shell = args.shell as Shell
    this.log(scripts[shell].trimEnd())
    return { shell, script: scripts[shell] }
  }
}
