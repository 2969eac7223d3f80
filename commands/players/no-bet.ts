import { PlayerCommand, playerArgs, playerFlags } from '../../src/cli/topics/wallet/player-command.ts'

export default class PlayersNoBet extends PlayerCommand {
  static override summary = 'Allow a player to watch, but not to bet'
  static override description = 'The player can still be launched. Bets already placed stand.'
  static override examples = ['countroom players no-bet amy', 'countroom players no-bet amy --dry-run']
  static override args = playerArgs
  static override flags = playerFlags

  override async run() {
    const { args } = await this.parse(PlayersNoBet)
    this.check(args.user)
    return this.change(args.user, { status: 'no_bet' })
  }
}
