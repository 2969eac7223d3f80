import { waitFlag } from '../../framework/flags.ts'
import { shareFlags } from '../../framework/rate-share-flags.ts'

/** Flags of jobs with a request per transfer or player, of which one runs at a time. */
export const bookJobFlags = {
  'rate-share': shareFlags['rate-share'],
  ...waitFlag,
}

/** Parsed values of `bookJobFlags`. */
export interface BookJobFlags {
  readonly 'rate-share': number
  readonly wait: string | undefined
}
