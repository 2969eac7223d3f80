import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { durationMs } from '../../kit/duration.ts'
import { Problem } from '../../kit/problem.ts'

export { Args, Flags }

/** On every command. */
export const globalFlags = {
  json: Flags.boolean({ summary: 'Print one JSON object', helpGroup: 'GLOBAL' }),
  profile: Flags.string({
    summary: 'The profile to work on (COUNTROOM_PROFILE)',
    helpGroup: 'GLOBAL',
    helpValue: 'NAME',
  }),
  timeout: Flags.string({
    summary: 'How long to wait for an answer of a service (COUNTROOM_TIMEOUT)',
    helpGroup: 'GLOBAL',
    helpValue: 'DURATION',
  }),
  quiet: Flags.boolean({ summary: 'Print results and errors only', helpGroup: 'GLOBAL', exclusive: ['verbose'] }),
  verbose: Flags.boolean({ summary: 'Also print particulars, with secrets masked', helpGroup: 'GLOBAL' }),
  'no-color': Flags.boolean({ summary: 'Print without colour (NO_COLOR)', helpGroup: 'GLOBAL' }),
}

/** On commands that can be kept waiting by a busy service. */
export const maxWaitFlag = {
  'max-wait': Flags.custom<number>({
    summary: 'How long in all to wait where the service is busy or away; five attempts without',
    helpGroup: 'GLOBAL',
    helpValue: 'DURATION',
    parse: async (input) => {
      const ms = durationMs(input)
      if (ms !== undefined) return ms
      throw new Problem('INVALID_USAGE', `--max-wait wants a duration such as 90s, not ${input}`)
    },
  })(),
}

/** On commands that move money or plan it: the setting of that name, for this run. */
export const attemptsFlag = {
  attempts: Flags.integer({
    summary:
      'How often to make each request before giving up, each "not now" (429) counted; 5 unless set (COUNTROOM_ATTEMPTS)',
    min: 1,
    max: 99,
    helpValue: 'N',
  }),
}

/** Schema options of a list's `more`. */
export const moreThere = { description: 'True if there are more results than --limit' }

/** On every command that prints a table. */
export const listFlags = {
  columns: Flags.string({
    aliases: ['fields'],
    summary: 'The columns to print, in this order; with --jsonl the fields (also --fields)',
    helpValue: 'A,B,…',
  }),
  csv: Flags.boolean({ summary: 'Print the table as CSV', exclusive: ['jsonl'] }),
  bom: Flags.boolean({
    summary: 'Begin the CSV with the mark by which some spreadsheets know UTF-8',
    dependsOn: ['csv'],
  }),
  jsonl: Flags.boolean({
    summary: 'Print each row as one JSON object a line, as it comes; how the run ended is the last line',
    exclusive: ['json'],
  }),
  'no-header': Flags.boolean({ summary: 'Leave the line of titles out' }),
}

/** On every command that changes something. */
export const dryRunFlag = {
  'dry-run': Flags.boolean({ summary: 'Check everything, show what would be done, and do nothing' }),
}

/** On commands whose effect is hard to take back. */
export const dangerFlags = {
  ...dryRunFlag,
  yes: Flags.boolean({ summary: 'Do not ask for confirmation' }),
}

/** An amount and its currency, as text: never a number. */
export interface Total {
  readonly amount: string
  readonly currency: string
}

/** `AMOUNT:CURRENCY`, both as they are typed. */
export const totalFlag = Flags.custom<Total>({
  helpValue: 'AMOUNT:CURRENCY',
  parse: async (input) => {
    const [, amount, currency] = /^(\d+(?:\.\d+)?):([A-Za-z0-9]{2,20})$/.exec(input) ?? []
    if (amount === undefined || currency === undefined) {
      throw new Problem('INVALID_USAGE', 'Expected AMOUNT:CURRENCY, for example 1500.50:USD')
    }
    return { amount, currency }
  },
})

/** On commands that move money. */
export const moneyFlags = {
  ...dangerFlags,
  'confirm-total': totalFlag({ summary: 'With --yes on a live profile: the total that is meant', dependsOn: ['yes'] }),
}

/** On commands that move money of several currencies at once. */
export const totalsFlags = {
  yes: dangerFlags.yes,
  'confirm-total': totalFlag({
    summary: 'With --yes: the total that is meant, once for every currency',
    dependsOn: ['yes'],
    multiple: true,
  }),
}

/** Who says so, on commands whose doing is kept with a name. */
export const asFlag = {
  as: Flags.string({ summary: 'In whose name; the user of this machine unless set (COUNTROOM_AS)', helpValue: 'NAME' }),
}
