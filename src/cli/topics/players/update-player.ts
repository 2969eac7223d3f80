import { usernameFault } from '../../../domain/wallet/transfer-faults.ts'
import { Problem } from '../../../kit/problem.ts'
import type { PlayerUpdate } from '../../../services/casino/api/schemas/index.ts'
import { limitProfileFault, limitProfileOf } from '../../arguments/limit-profile.ts'
import { parameterFault, refuseFaults } from '../../arguments/validate.ts'
import type { CommandContext } from '../../context/context.ts'
import { hide } from '../../outcome/secrets-mask.ts'
import type { Change } from '../../terminal/field-changes.ts'
import { readInput } from '../../terminal/read-input.ts'
import { changePlayer } from './change-player.ts'

/** Parsed flags of `players update`. */
interface UpdateFlags {
  readonly status?: string | undefined
  readonly nickname?: string | undefined
  readonly 'clear-nickname'?: boolean
  readonly 'limit-profile'?: string | undefined
  readonly 'password-file'?: string | undefined
}

/** Changes the fields that the flags name. */
export async function updatePlayer(context: CommandContext, username: string, flags: UpdateFlags) {
  const { status, nickname, 'limit-profile': limits, 'password-file': file } = flags
  const nothing = [status, nickname, limits, file].every((each) => each === undefined) && !flags['clear-nickname']
  if (nothing)
    throw new Problem(
      'INVALID_USAGE',
      'Nothing to change: pass --status, --nickname, --clear-nickname, --limit-profile or --password-file',
    )
  const password = file === undefined ? undefined : passwordIn(await readInput(file))
  if (password !== undefined) hide([password])
  refuseFaults([
    usernameFault(username),
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
  return changePlayer(context, username, fields, unseen)
}

/** Returns the content of a password file without the final line break that an editor adds. */
function passwordIn(text: string): string {
  return text.replace(/\r?\n$/, '')
}
