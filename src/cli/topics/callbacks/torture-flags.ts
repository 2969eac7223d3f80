import { bookFlag, dryRunFlag, Flags } from '../../framework/flags.ts'
import { secretFlag } from './flags.ts'

export const tortureFlags = {
  to: Flags.string({ summary: 'URL of the handler', helpValue: 'URL', required: true }),
  probe: Flags.string({
    summary: 'Command that prints what the handler has done',
    helpValue: 'COMMAND',
    required: true,
  }),
  reset: Flags.string({
    summary: 'Command that brings the handler to its start',
    helpValue: 'COMMAND',
    required: true,
  }),
  seed: Flags.string({ summary: 'Seed of the orders (default: a new one, which is printed)', helpValue: 'N' }),
  rounds: Flags.integer({ summary: 'Number of sequences to try', default: 20, min: 1, max: 10_000, helpValue: 'N' }),
  since: Flags.string({ summary: 'Received at or after this time', helpValue: 'ISO' }),
  ...dryRunFlag,
  ...secretFlag,
  ...bookFlag,
}
