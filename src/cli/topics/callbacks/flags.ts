import { bookFlag, dryRunFlag, Flags } from '../../framework/flags.ts'

/** A secret is never a flag value, because it would appear in the process list and the shell history. */
export const secretFlag = {
  'secret-file': Flags.string({
    summary: 'File with the signing secret, or - for stdin (default: the secret of the profile)',
    helpValue: 'FILE|-',
  }),
}

export const listenFlags = (port: number) => ({
  port: Flags.integer({ summary: 'Port to listen on; 0 picks a free port', default: port, min: 0, max: 65_535 }),
  host: Flags.string({ summary: 'Address to listen on', default: '127.0.0.1' }),
  forward: Flags.string({ summary: 'URL to forward to', helpValue: 'URL' }),
  ...secretFlag,
  ...bookFlag,
})

/** Maximum number of retries of one replay. */
const maxRetries = 5

export const replayFlags = {
  to: Flags.string({
    summary: 'Target URL (default: target of the newest forwarded callback, if any)',
    helpValue: 'URL',
  }),
  since: Flags.string({ summary: 'Received at or after this time', helpValue: 'ISO' }),
  unforwarded: Flags.boolean({ summary: 'Only callbacks that no target has accepted yet' }),
  retries: Flags.integer({
    summary: 'Number of retries, with growing waits, if the target does not accept a callback',
    default: 0,
    min: 0,
    max: maxRetries,
    helpValue: 'N',
  }),
  ...dryRunFlag,
  ...secretFlag,
  ...bookFlag,
}
