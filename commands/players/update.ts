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
  static override summary = "Change a player's state, nickname, bet limits or password"
  static override description =
    'Only what is named is changed. The password is for the login page of the platform, which players who are launched do not need; it comes from a file or stdin, never from a flag.'
  static override examples = [
    'countroom players update amy --nickname "Lucky Amy"',
    'countroom players update amy --status no_bet --limit-profile 12',
    { command: 'countroom players update amy --password-file - < password.txt', description: 'A password from stdin' },
    'countroom players update amy --clear-nickname --dry-run',
  ]
  static override completes = { 'password-file': 'files' }
  static override args = playerArgs
  static override flags = {
    status: Flags.string({ summary: 'What the player may do', options: [...playerStatuses] }),
    nickname: Flags.string({ summary: 'The name shown at the tables', exclusive: ['clear-nickname'] }),
    'clear-nickname': Flags.boolean({ summary: 'Take the nickname away' }),
    'limit-profile': Flags.string({ summary: 'The bet-limit profile', helpValue: 'ID|default' }),
    'password-file': Flags.string({ summary: 'A file with the new password, or - for stdin', helpValue: 'FILE|-' }),
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
        'Nothing to change: say --status, --nickname, --clear-nickname, --limit-profile or --password-file',
      )
    const password = file === undefined ? undefined : passwordIn(await readInput(file))
    if (password !== undefined) hide([password])
    this.check(args.user, [
      parameterFault('nickname', (nickname ?? '').length > 100, 'The nickname is longer than 100 characters'),
      limitProfileFault(limits),
      parameterFault(
        'password',
        password !== undefined && (password.length < 6 || password.length > 64),
        'The password is not 6 to 64 characters long',
      ),
    ])
    const fields: Omit<PlayerUpdate, 'username'> = {
      // The parser has let only these through.
      ...(status === undefined ? {} : { status: status as PlayerUpdate['status'] & string }),
      ...(nickname === undefined ? {} : { nickname }),
      ...(flags['clear-nickname'] ? { nickname: null } : {}),
      ...limitProfileOf(limits),
      ...(password === undefined ? {} : { password }),
    }
    // The API does not show these: what they were cannot be told.
    const unseen: Change[] = [
      ...(limits === undefined ? [] : [{ field: 'limitProfileId', before: 'unknown', after: limits }]),
      ...(password === undefined ? [] : [{ field: 'password', before: 'unknown', after: 'set' }]),
    ]
    return this.change(args.user, fields, { unseen })
  }
}

/** The text of a password file without the line's end that an editor leaves there. */
function passwordIn(text: string): string {
  return text.replace(/\r?\n$/, '')
}
