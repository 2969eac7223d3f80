import { hostname, userInfo } from 'node:os'
import { Problem } from '../../kit/problem.ts'
import type { Person } from '../../operator/transfers/batch-decisions.ts'
import type { Config } from '../../world/config/config.ts'

/** Returns who runs this command: the name of --as or COUNTROOM_AS together with the user of the machine, else that user. */
export function personHere({ settings }: Config): Person {
  const osUser = userHere()
  const name = (settings.as ?? osUser).trim()
  if (!isName(name))
    throw new Problem('INVALID_USAGE', 'The name (--as, COUNTROOM_AS) must have 1 to 64 characters on one line')
  return { name, osUser, host: hostname() }
}

/** A user without a name in the system is shown by number. */
function userHere(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

export const isName = (text: string): boolean => /^[^\p{C}]{1,64}$/u.test(text) && text.trim() !== ''
