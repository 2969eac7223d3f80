import { PlayerCommand, playerArgs, playerFlags } from '../../src/cli/topics/wallet/player-command.ts'

export default class PlayersNoBet extends PlayerCommand {
  static override summary = 'Let a player watch, but not bet'
  static override description = 'The player may still enter. Bets that are placed already stand.'
  static override examples = ['countroom players no-bet amy', 'countroom players no-bet amy --dry-run']
  static override args = playerArgs
  static override flags = playerFlags

  override async run() {
    const { args } = await this.parse(PlayersNoBet)
    this.check(args.user)
    return this.change(args.user, { status: 'no_bet' })
  }
}
