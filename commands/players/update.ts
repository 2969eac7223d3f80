import { parameterFault } from '../../src/cli/arguments/validate.ts'
import { Flags } from '../../src/cli/framework/flags.ts'
import { hide } from '../../src/cli/outcome/secrets-mask.ts'
import type { Change } from '../../src/cli/terminal/field-changes.ts'
import { readInput } from '../../src/cli/terminal/read-input.ts'
import {
  limitProfileFault,
  limitProfileOf,
  PlayerCommand,
  playerArgs,
  playerFlags,
} from '../../src/cli/topics/wallet/player-command.ts'
import { playerStatuses } from '../../src/domain/players/player.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { PlayerUpdate } from '../../src/services/casino/api/schemas/index.ts'

export default class PlayersUpdate extends PlayerCommand {
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

  override async run() {
    const { args, flags } = await this.parse(PlayersUpdate)
    const { status, nickname } = flags
    const limits = flags['limit-profile']
    const file = flags['password-file']
    const nothing = [status, nickname, limits, file].every((each) => each === undefined) && !flags['clear-nickname']
    if (nothing)
      throw new Problem(
        'INVALID_USAGE',
        'Nothing to change: pass --status, --nickname, --clear-nickname, --limit-profile or --password-file',
      )
    const password = file === undefined ? undefined : passwordIn(await readInput(file))
    if (password !== undefined) hide([password])
    this.check(args.user, [
      parameterFault('nickname', (nickname ?? '').length > 100, '--nickname must have at most 100 characters'),
      limitProfileFault(limits),
      parameterFault(
        'password',
        password !== undefined && (password.length < 6 || password.length > 64),
        'The password must have 6 to 64 characters',
      ),
    ])
    const fields: Omit<PlayerUpdate, 'username'> = {
      // The parser accepts only these values.
      ...(status === undefined ? {} : { status: status as PlayerUpdate['status'] & string }),
      ...(nickname === undefined ? {} : { nickname }),
      ...(flags['clear-nickname'] ? { nickname: null } : {}),
      ...limitProfileOf(limits),
      ...(password === undefined ? {} : { password }),
    }
    // The API does not return these fields, so their previous values are unknown.
    const unseen: Change[] = [
      ...(limits === undefined ? [] : [{ field: 'limitProfileId', before: 'unknown', after: limits }]),
      ...(password === undefined ? [] : [{ field: 'password', before: 'unknown', after: 'set' }]),
    ]
    return this.change(args.user, fields, { unseen })
  }
}

/** Returns the content of a password file without the final line break that an editor adds. */
function passwordIn(text: string): string {
  return text.replace(/\r?\n$/, '')
}
