import { CountroomCommand } from '../src/cli/framework/command.ts'
import { type Shell, scripts, shells } from '../src/cli/framework/completion-scripts.ts'
import { Args } from '../src/cli/framework/flags.ts'
import type { Shapes } from '../src/cli/outcome/result-schema.ts'

export default class Completion extends CountroomCommand {
  static override summary = 'Print the completion script for a shell'
  static override description =
    'The script calls countroom when you press Tab. Completion reads the command list, a folder of recent names, and for the profile of the line its book and its local world: the newest transfer IDs, batches, breaks, periods, slips, tickets, statuses, rooms and payouts. It changes nothing and asks no platform.'
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
