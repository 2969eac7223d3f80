import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Flags } from '../../src/cli/framework/flags.ts'
import { changedPlayerSchema, playerArgs, playerExits, playerFlags } from '../../src/cli/topics/players/flags.ts'
import { playerStatuses } from '../../src/domain/players/player.ts'

export default class PlayersUpdate extends CountroomCommand {
  static override summary = "Change a player's status, nickname, bet limits or password"
  static override description =
    'Changes only the fields you pass. The password is for the login page of the platform; launched players do not need one. It is read from a file or stdin, never from a flag value.'
  static override examples = [
    'countroom players update amy --nickname "Lucky Amy"',
    'countroom players update amy --status no_bet --limit-profile 12',
    {
      command: 'countroom players update amy --password-file - < password.txt',
      description: 'Read a password from stdin',
    },
    'countroom players update amy --clear-nickname --dry-run',
  ]
  static override writes = true
  static override exits = playerExits
  static override completes = { 'password-file': 'files' }
  static override args = playerArgs
  static override flags = {
    status: Flags.string({ summary: 'Player status', options: [...playerStatuses] }),
    nickname: Flags.string({ summary: 'Name shown at the tables', exclusive: ['clear-nickname'] }),
    'clear-nickname': Flags.boolean({ summary: 'Remove the nickname' }),
    'limit-profile': Flags.string({ summary: 'Bet limit profile', helpValue: 'ID|default' }),
    'password-file': Flags.string({ summary: 'File with the new password, or - for stdin', helpValue: 'FILE|-' }),
    ...playerFlags,
  }
  static override data = changedPlayerSchema

  override async run() {
    const { args, flags } = await this.parse(PlayersUpdate)
    const { updatePlayer } = await import('../../src/cli/topics/players/update-player.ts')
    return updatePlayer(this, args.user, flags)
  }
}
