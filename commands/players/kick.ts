import { PlayerCommand, playerArgs, playerFlags } from '../../src/cli/topics/wallet/player-command.ts'

export default class PlayersKick extends PlayerCommand {
  static override summary = "End a player's sessions"
  static override description =
    'All sessions end at once. The player can be launched again; to prevent that, use "countroom players lock". A player without a session is not an error.'
  static override examples = ['countroom players kick amy', 'countroom players kick amy --yes']
  static override args = playerArgs
  static override flags = playerFlags

  override async run() {
    const { args } = await this.parse(PlayersKick)
    this.check(args.user)
    return this.kick(args.user)
  }
}
