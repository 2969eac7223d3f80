import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { changedPlayerSchema, playerArgs, playerExits, playerFlags } from '../../src/cli/topics/players/flags.ts'

export default class PlayersUnlock extends CountroomCommand {
  static override summary = 'Allow a locked or no-bet player to play again'
  static override description = 'Sets the status to active, from any other status.'
  static override examples = ['countroom players unlock amy', 'countroom players unlock amy --dry-run']
  static override writes = true
  static override exits = playerExits
  static override args = playerArgs
  static override flags = playerFlags
  static override data = changedPlayerSchema

  override async run() {
    const { args } = await this.parse(PlayersUnlock)
    const { changePlayer } = await import('../../src/cli/topics/players/change-player.ts')
    return changePlayer(this, args.user, { status: 'active' })
  }
}
