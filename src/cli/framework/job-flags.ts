import { receiverFault } from '../../http/client/receiver-url.ts'
import { Problem } from '../../kit/problem.ts'
import { Flags } from './flags.ts'

/** Flags of commands that schedulers run, for monitoring them. */
export const jobFlags = {
  ping: Flags.custom<string>({
    summary: 'Monitoring URL to call: URL/start at the start, URL on success, URL/fail on failure',
    helpValue: 'URL',
    parse: async (input) => {
      const fault = receiverFault(input)
      if (fault === undefined) return input
      throw new Problem('INVALID_USAGE', `--ping ${fault}`, { flag: 'ping' })
    },
  })(),
  metrics: Flags.string({
    summary: 'Prometheus text file to write at the end, for the textfile collector',
    helpValue: 'FILE.prom',
  }),
}
