import type { Reader } from './store.ts'

/**
 * One round of what is due because time went by. It does one round and returns; something else decides how often.
 * Here and not in a service, because all that is due is run by one pump.
 */
export interface Pass {
  readonly name: string
  /**
   * Whether a round may begin while an earlier one is still under way: for what waits for others, who may be slow. It
   * leaves alone by itself what the earlier one holds.
   */
  readonly overlaps?: boolean
  /** The moment at which there is something to do, or nothing; absent where nothing waits for it. */
  nextDue?(reader: Reader): Promise<number | undefined>
  /** Does at most so many; says how many it did. Done again it finds less to do. Given up by `stop` it puts back what it holds. */
  run(limit: number, stop?: AbortSignal): Promise<number>
}
