import { CountroomCommand } from '../src/cli/framework/command.ts'
import { type Shell, scripts, shells } from '../src/cli/framework/completion.ts'
import { Args } from '../src/cli/framework/flags.ts'

export default class Completion extends CountroomCommand {
  static override summary = 'Print the script that completes commands in a shell'
  static override description =
    'The script asks this program at each press of the key, which reads its own list of commands and a folder of names: no service is called and no database opened.'
  static override examples = [
    'source <(countroom completion bash)',
    'countroom completion zsh > "$fpath[1]/_countroom"',
    'countroom completion fish | source',
    'countroom completion powershell | Out-String | Invoke-Expression',
  ]
  static override args = {
    shell: Args.string({ required: true, description: 'The shell', options: [...shells] }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ shell: Type.Enum(shells), script: Type.String() })
  }

  override async run() {
    const { args } = await this.parse(Completion)
    const shell = args.shell as Shell
    this.log(scripts[shell].trimEnd())
    return { shell, script: scripts[shell] }
  }
}
