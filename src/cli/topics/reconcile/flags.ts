import { Args, Flags, waitFlag } from '../../framework/flags.ts'
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

/** Argument of commands that compare a ledger of the operator. */
export const ledgerArgs = {
  file: Args.string({ description: 'CSV file of the ledger, or - for stdin', required: true }),
}

/** Flags with the period of that ledger. */
export const ledgerPeriodFlags = {
  since: Flags.string({
    summary: 'Start of the period that the ledger covers (default: its first time)',
    helpValue: 'ISO',
  }),
  until: Flags.string({
    summary: 'End of the period that the ledger covers (default: its last time)',
    helpValue: 'ISO',
  }),
}
