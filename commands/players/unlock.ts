import { PlayerCommand, playerArgs, playerFlags } from '../../src/cli/topics/wallet/player-command.ts'

export default class PlayersUnlock extends PlayerCommand {
  static override summary = 'Allow a locked or no-bet player to play again'
  static override description = 'Sets the status to active, from any other status.'
  static override examples = ['countroom players unlock amy', 'countroom players unlock amy --dry-run']
  static override args = playerArgs
  static override flags = playerFlags

  override async run() {
    const { args } = await this.parse(PlayersUnlock)
    this.check(args.user)
    return this.change(args.user, { status: 'active' })
  }
}
