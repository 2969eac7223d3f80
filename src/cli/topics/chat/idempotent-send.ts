import { isProblem, Problem } from '../../../kit/problem.ts'

/** Something that is said to others once: a comment, a message, a ticket. */
export interface SaidOnce<T> {
  /** The flag under which its key is said again. */
  readonly flag: '--key' | '--client-id'
  readonly key: string
  /** Sends it, once. */
  readonly send: () => Promise<T>
  /** Looks whether it is there, where that can be seen. */
  readonly look?: () => Promise<T | 'none' | 'cannot-tell'>
  readonly note: (text: string) => void
}

/**
 * Says something once. Where no answer came it is looked for, and as good as answered when it is there; else the refusal names
 * the key under which the same command makes no second one.
 */
export async function sayOnce<T extends object>({ flag, key, send, look, note }: SaidOnce<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!isProblem(error) || !isLost(error)) throw error
    const found = look === undefined ? 'cannot-tell' : await lookedFor(look, note)
    if (typeof found === 'object') return found
    const what =
      found === 'none'
        ? 'No answer came, and it is not there'
        : 'No answer came, and it is not known whether it is there'
    throw new Problem(
      error.code,
      `${error.message}. ${what}: repeat the same command with ${flag} ${key}, which makes no second one where the instance keeps such keys${found === 'none' ? '' : '; elsewhere look first'}`,
      { ...error.detail, key, repeatWith: `${flag} ${key}` },
      { cause: error },
    )
  }
}

/** A fault on the other side tells as little as silence. */
const isLost = ({ detail }: Problem): boolean => detail['outcome'] === 'unknown' || Number(detail['status']) >= 500

async function lookedFor<T>(
  look: () => Promise<T | 'none' | 'cannot-tell'>,
  note: (text: string) => void,
): Promise<T | 'none' | 'cannot-tell'> {
  note('No answer came: finding out whether it was done.')
  try {
    return await look()
  } catch (error) {
    // Refused by the state of things it was not done, and cannot be now.
    if (!isProblem(error) || error.detail['status'] === 409) throw error
    return 'cannot-tell'
  }
}
