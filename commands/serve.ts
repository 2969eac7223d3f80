import { CountroomCommand } from '../src/cli/framework/command.ts'
import { Flags } from '../src/cli/framework/flags.ts'
import type { Shapes } from '../src/cli/outcome/result-schema.ts'

export default class Serve extends CountroomCommand {
  static override summary = 'Serve the casino platform, payment gateway and chat on this machine'
  static override description = [
    'Runs all services in one process on one database. The profile "local" points to the database, so other commands work without setup. Ctrl-C finishes open work and stops.',
    'An empty database gets a small demo world: the operator DEMO with its sandbox, four players and every table, a merchant with funds in both environments of the gateway, and two merchants of the chat.',
  ].join('\n\n')
  static override examples = [
    { command: 'countroom serve', description: 'Serve the default database on port 8787' },
    { command: 'countroom serve --db ./world.db --port 0 --ready-file ready.json', description: 'Start from a script' },
    {
      command: 'countroom serve --db ./test.db --seed 7 --clock 2026-03-01T00:00:00Z',
      description: 'Create the same world every time',
    },
  ]
  static override streams = true
  static override files = ['the ready file: mode 0600, written when the port accepts connections, removed at the end']
  static override completes = { db: 'files', 'ready-file': 'files' }
  static override flags = {
    db: Flags.string({
      summary: 'Database: a file, or a postgres:// URL (COUNTROOM_DB; default: a file in the data folder)',
      helpValue: 'PATH|URL',
    }),
    host: Flags.string({ summary: 'Address to listen on', default: '127.0.0.1' }),
    port: Flags.integer({ summary: 'Port to listen on; 0 picks a free port', default: 8787, min: 0, max: 65_535 }),
    'public-url': Flags.string({
      summary:
        'Base of all URLs in responses, such as launch links and hosted pages; may have a path (COUNTROOM_PUBLIC_URL)',
      helpValue: 'URL',
    }),
    seed: Flags.string({
      summary: 'Seed for all generated IDs, keys, deals and names (default: random)',
      helpValue: 'N',
    }),
    clock: Flags.string({ summary: 'Initial time of the world (default: now)', helpValue: 'ISO' }),
    'ready-file': Flags.string({
      summary: 'JSON file to write addresses and keys to, once the port accepts connections',
      helpValue: 'PATH',
    }),
    live: Flags.boolean({ summary: 'Deal the tables automatically, until "console live off"' }),
    'allow-faults': Flags.boolean({
      summary: 'Allow "sim faults" when --host is not loopback; on loopback it is always on',
    }),
    'no-demo': Flags.boolean({ summary: 'Do not add the demo world to an empty database' }),
    'public-callbacks-only': Flags.boolean({
      summary: 'Reject callback URLs on this machine, as a public world does',
    }),
    'trust-proxy': Flags.string({
      summary:
        'Proxies whose X-Forwarded-For, -Proto and -Host are trusted: comma-separated addresses, CIDR ranges, loopback, linklocal or uniquelocal',
      helpValue: 'ADDRESS',
    }),
    'record-requests': Flags.boolean({
      summary:
        'Record requests for "sim requests" when other machines can reach this world; on loopback it is always on',
    }),
    'metrics-public': Flags.boolean({ summary: 'Serve /metrics to other machines too' }),
    'no-rate-limit': Flags.boolean({ summary: 'Disable all rate limits, for development and benchmarks' }),
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      baseUrl: Type.String({ description: 'Address of the server on this machine.' }),
      publicUrl: Type.String({ description: 'Base of the URLs in responses.' }),
      db: Type.String(),
      stoppedBy: Type.String(),
    })

  override async run() {
    const { flags } = await this.parse(Serve)
    const { serveWorld } = await import('../src/cli/topics/serve/serve.ts')
    return serveWorld(this, flags)
  }
}
