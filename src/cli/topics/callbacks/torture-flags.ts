import { Args, bookFlag, dryRunFlag, Flags } from '../../framework/flags.ts'
import { secretFlag } from './flags.ts'
import type { CallbackTopic } from './topics.ts'

/** Texts and arguments of the commands that torture a handler. */
export function tortureTexts({ words }: CallbackTopic) {
  const plural = words === 'ipn' ? 'IPNs' : 'webhooks'
  return {
    summary: `Find the shortest sequence of stored ${plural} that breaks your handler`,
    description: `Sends stored ${plural} to your handler in other orders, twice, late, at the same time, and with answers that are lost, and sends again what it does not accept. Before each run, the command of --reset brings the handler to its start; after it, the command of --probe prints what the handler has done, such as balances. What it prints is compared with the run in the recorded order. The first sequence that ends otherwise is shrunk until no step can be removed or made simpler. Both commands run in the shell. Exits with 9 when the handler breaks, and with 11 when it cannot be judged.`,
    examples: [
      `countroom ${words} torture --to http://127.0.0.1:3000/callbacks --reset 'npm run db:reset' --probe 'curl -s http://127.0.0.1:3000/balances'`,
    ],
    args: { ids: Args.string({ multiple: true, description: `IDs of ${plural} or of their objects (default: all)` }) },
  }
}

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
