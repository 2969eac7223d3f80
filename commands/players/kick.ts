import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { changedPlayerSchema, playerArgs, playerExits, playerFlags } from '../../src/cli/topics/players/flags.ts'

export default class PlayersKick extends CountroomCommand {
  static override summary = "End a player's sessions"
  static override description =
    'All sessions end at once. The player can be launched again; to prevent that, use "countroom players lock". A player without a session is not an error.'
  static override examples = ['countroom players kick amy', 'countroom players kick amy --yes']
  static override writes = true
  static override exits = playerExits
  static override args = playerArgs
  static override flags = playerFlags
  static override data = changedPlayerSchema

  override async run() {
    const { args } = await this.parse(PlayersKick)
    const { kickPlayer } = await import('../../src/cli/topics/players/change-player.ts')
    return kickPlayer(this, args.user)
  }
}
