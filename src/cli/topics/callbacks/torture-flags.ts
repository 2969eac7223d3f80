import { Args, bookFlag, dryRunFlag, Flags } from '../../framework/flags.ts'
import { secretFlag } from './flags.ts'
import type { CallbackTopic } from './topics.ts'

/** Texts and arguments of the commands that torture a handler. */
export function tortureTexts({ words }: CallbackTopic) {
  const plural = words === 'ipn' ? 'IPNs' : 'webhooks'
  return {
    summary: `Find the shortest sequence of stored ${plural} that breaks your handler`,
    description: [
      `Sends stored ${plural} to your handler reordered, duplicated, delayed, concurrently and with lost responses, and retries those that it does not accept. Before each sequence, the --reset command restores the initial state of the handler. After it, the output of the --probe command is compared with that of the recorded order.`,
      'The first sequence with a different result is reduced until no step can be removed or simplified. Both commands run in the shell. Exits with 9 if a sequence breaks the handler, and with 11 if no conclusion is possible.',
    ].join('\n\n'),
    examples: [
      `countroom ${words} torture --to http://127.0.0.1:3000/callbacks --reset 'npm run db:reset' --probe 'curl -s http://127.0.0.1:3000/balances'`,
    ],
    args: { ids: Args.string({ multiple: true, description: `IDs of ${plural} or of their objects (default: all)` }) },
  }
}

export const tortureFlags = {
  to: Flags.string({ summary: 'URL of the handler', helpValue: 'URL', required: true }),
  probe: Flags.string({
    summary: 'Shell command that prints the state of the handler, such as balances',
    helpValue: 'COMMAND',
    required: true,
  }),
  reset: Flags.string({
    summary: 'Shell command that resets the handler to its initial state',
    helpValue: 'COMMAND',
    required: true,
  }),
  seed: Flags.string({ summary: 'Seed of the sequences (default: random, and printed)', helpValue: 'N' }),
  rounds: Flags.integer({ summary: 'Number of sequences to try', default: 20, min: 1, max: 10_000, helpValue: 'N' }),
  since: Flags.string({ summary: 'Received at or after this time', helpValue: 'ISO' }),
  ...dryRunFlag,
  ...secretFlag,
  ...bookFlag,
}
