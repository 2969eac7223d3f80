import { withNearNames } from '../../src/cli/arguments/player.ts'
import { refuseFaults } from '../../src/cli/arguments/validate.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { rememberNames } from '../../src/cli/framework/completion.ts'
import { Args } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { usernameFault } from '../../src/domain/wallet/transfer-faults.ts'

export default class WalletBalance extends CountroomCommand {
  static override summary = 'Show the available balance of a player'
  static override description = 'Stakes of unsettled bets are already deducted.'
  static override examples = ['countroom wallet balance amy', 'countroom wallet balance amy --json']
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override args = { user: Args.string({ required: true, description: 'Player username' }) }
  static override data = ({ Type }: Shapes) =>
    Type.Object({ username: Type.String(), balance: Type.String(), currency: Type.String() })

  override async run() {
    const { args } = await this.parse(WalletBalance)
    refuseFaults([usernameFault(args.user)])
    const { casino } = await this.services.casino()
    const { paths } = this.settings
    const response = await casino.balance({ query: { username: args.user } }).catch((error) => {
      throw withNearNames(error, paths, args.user)
    })
    rememberNames(paths, 'users', [args.user])
    this.log(`${response.balance} ${response.currency}`)
    return { username: args.user, ...response }
  }
}
