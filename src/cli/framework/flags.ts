import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { durationMs } from '../../kit/duration.ts'
import { Problem } from '../../kit/problem.ts'

export { Args, Flags }

/** Flags of every command. */
export const globalFlags = {
  json: Flags.boolean({ summary: 'Print one JSON object', helpGroup: 'GLOBAL' }),
  profile: Flags.string({
    summary: 'Profile to use (COUNTROOM_PROFILE)',
    helpGroup: 'GLOBAL',
    helpValue: 'NAME',
  }),
  timeout: Flags.string({
    summary: 'Maximum time to wait for a response (COUNTROOM_TIMEOUT; default 15s)',
    helpGroup: 'GLOBAL',
    helpValue: 'DURATION',
  }),
  quiet: Flags.boolean({ summary: 'Print results and errors only', helpGroup: 'GLOBAL', exclusive: ['verbose'] }),
  verbose: Flags.boolean({ summary: 'Also print requests and details, with secrets masked', helpGroup: 'GLOBAL' }),
  'no-color': Flags.boolean({ summary: 'Print without colors (NO_COLOR)', helpGroup: 'GLOBAL' }),
}

/** Flag of commands that retry while a service is busy. */
export const maxWaitFlag = {
  'max-wait': Flags.custom<number>({
    summary: 'Maximum total time to retry while a service is busy (default: 5 attempts)',
    helpGroup: 'GLOBAL',
    helpValue: 'DURATION',
    parse: async (input) => {
      const ms = durationMs(input)
      if (ms !== undefined) return ms
      throw new Problem('INVALID_USAGE', `--max-wait must be a duration such as 90s; received ${input}`)
    },
  })(),
}

/** Global flags of commands that use the chat. */
export const chatFlags = { ...globalFlags, ...maxWaitFlag }

/** Flag of every command that uses the book. */
export const bookFlag = {
  book: Flags.string({
    summary: 'Book: a file, or a postgres:// URL (COUNTROOM_BOOK; default: a file per profile)',
    helpValue: 'PATH|URL',
  }),
}

/** Flag of commands that move money: overrides the setting of that name. */
export const attemptsFlag = {
  attempts: Flags.integer({
    summary:
      'Maximum number of attempts per request, including those rejected with 429 (COUNTROOM_ATTEMPTS; default 5)',
    min: 1,
    max: 99,
    helpValue: 'N',
  }),
}

/** Schema options of a list's `more`. */
export const moreThere = { description: 'True if there are more results than --limit.' }

/** Flags of every command that prints a table. */
export const listFlags = {
  columns: Flags.string({
    aliases: ['fields'],
    summary: 'Columns to print, in this order; fields with --jsonl',
    helpValue: 'A,B,…',
  }),
  csv: Flags.boolean({ summary: 'Print the table as CSV', exclusive: ['jsonl'] }),
  bom: Flags.boolean({
    summary: 'Start the CSV with a UTF-8 byte order mark, for Excel',
    dependsOn: ['csv'],
  }),
  jsonl: Flags.boolean({
    summary: 'Print one JSON object per line, and a summary as the last line',
    exclusive: ['json'],
  }),
  'no-header': Flags.boolean({ summary: 'Omit the header line' }),
}

/** Flag of commands of which one runs at a time. */
export const waitFlag = {
  wait: Flags.string({
    summary: 'Wait up to this long for a concurrent run to finish (default: exit with 75 at once)',
    helpValue: 'DURATION',
  }),
}

/** Flag of commands that write files into the folder of a book. */
export const foreignFilesFlag = {
  force: Flags.boolean({ summary: 'Overwrite files in the folder that do not belong to this book' }),
}

/** Flag of every command that changes something. */
export const dryRunFlag = {
  'dry-run': Flags.boolean({ summary: 'Validate and show what would be done, without doing it' }),
}

/** Flags of commands that change something other than money: on a live profile they ask first. */
export const editFlags = {
  ...dryRunFlag,
  yes: Flags.boolean({ summary: 'Skip the confirmation on a live profile' }),
}

/** Flags of commands whose effect is hard to undo. */
export const dangerFlags = {
  ...dryRunFlag,
  yes: Flags.boolean({ summary: 'Skip the confirmation' }),
}

/** An amount and its currency, as decimal text. */
export interface Total {
  readonly amount: string
  readonly currency: string
}

/** A flag of the form `AMOUNT:CURRENCY`. */
export const totalFlag = Flags.custom<Total>({
  helpValue: 'AMOUNT:CURRENCY',
  parse: async (input) => {
    const [, amount, currency] = /^(\d+(?:\.\d+)?):([A-Za-z0-9]{2,20})$/.exec(input) ?? []
    if (amount === undefined || currency === undefined) {
      throw new Problem('INVALID_USAGE', 'The total must have the form AMOUNT:CURRENCY, such as 1500.50:USD')
    }
    return { amount, currency }
  },
})

/** Flags of commands that move money. */
export const moneyFlags = {
  ...dangerFlags,
  'confirm-total': totalFlag({ summary: 'Expected total; required with --yes on a live profile', dependsOn: ['yes'] }),
}

/** Flags of commands that move money in several currencies. */
export const totalsFlags = {
  yes: dangerFlags.yes,
  'confirm-total': totalFlag({
    summary: 'Expected total, one per currency (repeatable); required with --yes on a live profile',
    dependsOn: ['yes'],
    multiple: true,
  }),
}

/** Flags of commands where a second person must decide. */
export const approverFlags = {
  as: Flags.string({
    summary: 'Name of an approver, proven by --passphrase-file (COUNTROOM_AS; without proof: the user of this machine)',
    helpValue: 'NAME',
  }),
  'passphrase-file': Flags.string({
    summary: 'File with the passphrase of --as, or - for stdin; set by "approvers add"',
    helpValue: 'FILE|-',
  }),
}

/** Flag of commands that record who runs them. */
export const asFlag = {
  as: Flags.string({ summary: 'Name to record (COUNTROOM_AS; default: the user of this machine)', helpValue: 'NAME' }),
}

/** Parsed values of the shared flags of this file. */
export interface SharedFlags {
  readonly columns?: string
  readonly csv?: boolean
  readonly bom?: boolean
  readonly 'no-header'?: boolean
  readonly 'dry-run'?: boolean
  readonly yes?: boolean
  readonly 'max-wait'?: number
  readonly 'confirm-total'?: Total
}
