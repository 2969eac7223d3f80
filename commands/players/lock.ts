import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { changedPlayerSchema, playerArgs, playerExits, playerFlags } from '../../src/cli/topics/players/flags.ts'

export default class PlayersLock extends CountroomCommand {
  static override summary = 'Lock a player'
  static override description = 'Ends the sessions of the player at once. The player cannot be launched until unlocked.'
  static override examples = ['countroom players lock amy', 'countroom players lock amy --dry-run']
  static override writes = true
  static override exits = playerExits
  static override args = playerArgs
  static override flags = playerFlags
  static override data = changedPlayerSchema

  override async run() {
    const { args } = await this.parse(PlayersLock)
    const { changePlayer } = await import('../../src/cli/topics/players/change-player.ts')
    return changePlayer(this, args.user, { status: 'locked' })
  }
}
