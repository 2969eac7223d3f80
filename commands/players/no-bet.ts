import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { changedPlayerSchema, playerArgs, playerExits, playerFlags } from '../../src/cli/topics/players/flags.ts'

export default class PlayersNoBet extends CountroomCommand {
  static override summary = 'Allow a player to watch, but not to bet'
  static override description = 'The player can still be launched. Bets already placed stand.'
  static override examples = ['countroom players no-bet amy', 'countroom players no-bet amy --dry-run']
  static override writes = true
  static override exits = playerExits
  static override args = playerArgs
  static override flags = playerFlags
  static override data = changedPlayerSchema

  override async run() {
    const { args } = await this.parse(PlayersNoBet)
    const { changePlayer } = await import('../../src/cli/topics/players/change-player.ts')
    return changePlayer(this, args.user, { status: 'no_bet' })
  }
}
