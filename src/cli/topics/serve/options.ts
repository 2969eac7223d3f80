import { dirname, resolve } from 'node:path'
import { isDatabaseFile } from '../../../db/engines/database-name.ts'
import { isLoopback } from '../../../http/server/public-url.ts'
import { isProxyRange } from '../../../http/server/trusted-proxies.ts'
import { makeFolder } from '../../../kit/make-folder.ts'
import { Problem } from '../../../kit/problem.ts'
import { deskRoutes } from '../../../world/desk/routes.ts'
import { homeRoutes } from '../../../world/home/routes.ts'
import type { CommandContext } from '../../context/context.ts'

/** Parsed flags of `serve`. The database and the public URL are settings. */
export interface ServeFlags {
  readonly host: string
  readonly port: number
  readonly seed: string | undefined
  readonly clock: string | undefined
  readonly 'ready-file': string | undefined
  readonly live: boolean
  readonly 'allow-faults': boolean
  readonly 'no-demo': boolean
  readonly 'public-callbacks-only': boolean
  readonly 'trust-proxy': string | undefined
  readonly 'no-rate-limit': boolean
  readonly 'record-requests': boolean
  readonly 'metrics-public': boolean
}

/** Options of a served world, from the flags and the settings. */
export type ServeOptions = ReturnType<typeof serveOptions>

/** Validates the flags, and creates the folder of the database. */
export function serveOptions({ settings: { settings } }: CommandContext, flags: ServeFlags) {
  const trustedProxies = proxiesOf(flags['trust-proxy'])
  const isForOthers =
    !isLoopback(flags.host) ||
    trustedProxies !== undefined ||
    (settings.publicUrl !== undefined && !isLoopback(new URL(settings.publicUrl).hostname))
  const hasDesk = !isForOthers || flags['record-requests']
  return {
    records: {
      requests: hasDesk,
      hasDesk,
      desk: isForOthers ? undefined : deskRoutes,
      home: homeRoutes,
      hasPublicMetrics: flags['metrics-public'],
    },
    db: databaseOf(settings.db),
    startAt: flags.clock === undefined ? undefined : momentOf(flags.clock),
    trustedProxies,
    publicUrl: settings.publicUrl,
    host: flags.host,
    port: flags.port,
    seed: flags.seed,
    readyFile: flags['ready-file'],
    isLive: flags.live,
    hasDemo: !flags['no-demo'],
    allowsFaults: flags['allow-faults'],
    loopbackCallbacks: isLoopback(flags.host) && !flags['public-callbacks-only'],
    rateLimits: !flags['no-rate-limit'],
  }
}

function databaseOf(db: string): string {
  if (!isDatabaseFile(db)) return db
  const path = resolve(db)
  makeFolder(dirname(path), 0o700)
  return path
}

function proxiesOf(text: string | undefined): string[] | undefined {
  const ranges = text?.split(',').map((each) => each.trim())
  const wrong = ranges?.filter((each) => !isProxyRange(each)) ?? []
  if (wrong.length > 0)
    throw new Problem(
      'INVALID_USAGE',
      `--trust-proxy takes addresses (10.1.2.3), CIDR ranges (10.0.0.0/8), loopback, linklocal or uniquelocal; received ${wrong.map((each) => JSON.stringify(each)).join(', ')}`,
    )
  return ranges
}

/** Reads the value of --clock. */
export function momentOf(text: string): number {
  const at = Date.parse(text)
  if (Number.isNaN(at))
    throw new Problem('INVALID_USAGE', `--clock must be a time such as 2026-03-01T00:00:00Z; received ${text}`)
  return at
}
