import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'

export default class ConsolePlayersKick extends CountroomCommand {
  static override summary = "End a player's sessions as the platform, and notify the tenant"
  static override examples = ['countroom console players kick DEMO amy']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = {
    code: Args.string({ required: true, description: 'Company code' }),
    user: Args.string({ required: true, description: 'Player username' }),
  }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) =>
    Type.Object({ companyCode: Type.String(), username: Type.String(), ended: Type.Integer() })

  override async run() {
    const { args } = await this.parse(ConsolePlayersKick)
    const { casino } = await this.services.world()
    const { kickPlayer } = await import('../../../src/services/casino/admin/kick.ts')
    const result = await kickPlayer(casino, args.code, args.user)
    this.fields(result)
    return result
  }
}
