import { PlayerCommand, playerArgs, playerFlags } from '../../src/cli/topics/wallet/player-command.ts'

export default class PlayersKick extends PlayerCommand {
  static override summary = 'Put a player out of the game'
  static override description =
    'All sessions end at once. The player may be launched again; countroom players lock keeps the player out. Having had no session is no error.'
  static override examples = ['countroom players kick amy', 'countroom players kick amy --yes']
  static override args = playerArgs
  static override flags = playerFlags

  override async run() {
    const { args } = await this.parse(PlayersKick)
    this.check(args.user)
    return this.kick(args.user)
  }
}
