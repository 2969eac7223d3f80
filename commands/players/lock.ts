import { PlayerCommand, playerArgs, playerFlags } from '../../src/cli/topics/wallet/player-command.ts'

export default class PlayersLock extends PlayerCommand {
  static override summary = 'Lock a player'
  static override description = 'Ends the sessions of the player at once. The player cannot be launched until unlocked.'
  static override examples = ['countroom players lock amy', 'countroom players lock amy --dry-run']
  static override args = playerArgs
  static override flags = playerFlags

  override async run() {
    const { args } = await this.parse(PlayersLock)
    this.check(args.user)
    return this.change(args.user, { status: 'locked' })
  }
}
