import { isProblem, Problem } from '../../../kit/problem.ts'

/** A comment, message or ticket to send once. */
export interface IdempotentSend<T> {
  /** Flag that takes its idempotency key. */
  readonly flag: '--key' | '--client-id'
  readonly key: string
  /** Sends it once. */
  readonly send: () => Promise<T>
  /** Looks up whether it exists, if the API allows it. */
  readonly look?: () => Promise<T | 'none' | 'unknown'>
  readonly note: (text: string) => void
}

/**
 * Sends something once. If the response is lost, it is looked up and counts as sent if it exists. Otherwise the problem
 * names the key with which the same command creates no duplicate.
 */
export async function sendOnce<T extends object>({ flag, key, send, look, note }: IdempotentSend<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!isProblem(error) || !isLost(error)) throw error
    const lookup = look === undefined ? 'unknown' : await lookUpLost(look, note)
    if (typeof lookup === 'object') return lookup
    const explanation =
      lookup === 'none'
        ? 'No response arrived, and it does not exist'
        : 'No response arrived, and it is unknown whether it exists'
    throw new Problem(
      error.code,
      `${error.message}. ${explanation}. Run the same command again with ${flag} ${key}; an instance that supports idempotency keys creates no duplicate${lookup === 'none' ? '' : '. On other instances, check first whether it exists'}`,
      { ...error.detail, key, repeatWith: `${flag} ${key}` },
      { cause: error },
    )
  }
}

/** A server error leaves the outcome as unknown as a lost response. */
const isLost = ({ detail }: Problem): boolean => detail['outcome'] === 'unknown' || Number(detail['status']) >= 500

async function lookUpLost<T>(
  look: () => Promise<T | 'none' | 'unknown'>,
  note: (text: string) => void,
): Promise<T | 'none' | 'unknown'> {
  note('No response arrived; checking whether it was done.')
  try {
    return await look()
  } catch (error) {
    // A conflict means that it was not done and cannot be done now.
    if (!isProblem(error) || error.detail['status'] === 409) throw error
    return 'unknown'
  }
}
