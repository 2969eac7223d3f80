import { hostname, userInfo } from 'node:os'
import { Problem } from '../../kit/problem.ts'
import type { Person } from '../../operator/transfers/batch-decisions.ts'
import type { Config } from '../../world/config/config.ts'

/** Who runs this: the name that was said (--as, COUNTROOM_AS) as it is, with the user of the machine kept beside it; else that user. */
export function personHere({ settings }: Config): Person {
  const osUser = userHere()
  const name = (settings.as ?? osUser).trim()
  if (!isName(name)) throw new Problem('INVALID_USAGE', 'A name (--as, COUNTROOM_AS) is 1 to 64 letters in one line')
  return { name, osUser, host: hostname() }
}

/** A user that the system has no name for is told by number. */
function userHere(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

export const isName = (text: string): boolean => /^[^\p{C}]{1,64}$/u.test(text) && text.trim() !== ''
