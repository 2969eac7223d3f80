import { dirname, resolve } from 'node:path'
import { CountroomCommand } from '../src/cli/framework/command.ts'
import { Flags } from '../src/cli/framework/flags.ts'
import type { Shapes } from '../src/cli/outcome/result-schema.ts'
import { isDatabaseFile, withoutPassword } from '../src/db/engines/database-name.ts'
import { isLoopback } from '../src/http/server/public-url.ts'
import { isProxyRange } from '../src/http/server/trusted-proxies.ts'
import { keepYoungSpaceSmall } from '../src/kit/heap-limits.ts'
import { makeFolder } from '../src/kit/make-folder.ts'
import { Problem } from '../src/kit/problem.ts'
import type { SetFault } from '../src/world/faults.ts'
import type { World } from '../src/world/world.ts'

/** Interval of the automatic dealer. Short enough that tables seem to move on their own. */
const liveMs = 250

export default class Serve extends CountroomCommand {
  static override summary = 'Serve the casino platform, payment gateway and chat on this machine'
  static override description =
    'Runs all services in one process on one database. An empty database gets a small demo world: the operator DEMO with its sandbox, four players and every table, a merchant with funds in both environments of the gateway, and two merchants of the chat. The profile "local" points to the database, so other commands work without setup. Ctrl-C finishes open work and stops.'
  static override examples = [
    { command: 'countroom serve', description: 'Serve the default database on port 8787' },
    { command: 'countroom serve --db ./world.db --port 0 --ready-file ready.json', description: 'Start from a script' },
    {
      command: 'countroom serve --db ./test.db --seed 7 --clock 2026-03-01T00:00:00Z',
      description: 'Create the same world every time',
    },
  ]
  static override streams = true
  static override files = ['the ready file: mode 0600, written when the port answers, removed at the end']
  static override completes = { db: 'files', 'ready-file': 'files' }
  static override flags = {
    db: Flags.string({ summary: 'Database: a file, or a postgres:// URL', helpValue: 'PATH|URL' }),
    host: Flags.string({ summary: 'Address to listen on', default: '127.0.0.1' }),
    port: Flags.integer({ summary: 'Port to listen on; 0 picks a free port', default: 8787, min: 0, max: 65_535 }),
    'public-url': Flags.string({
      summary:
        'Base of all URLs in responses, such as launch links and hosted pages; may have a path (COUNTROOM_PUBLIC_URL)',
      helpValue: 'URL',
    }),
    seed: Flags.string({ summary: 'Seed for all generated IDs, keys, deals and names', helpValue: 'N' }),
    clock: Flags.string({ summary: 'Initial time of the world', helpValue: 'ISO' }),
    'ready-file': Flags.string({
      summary: 'File for addresses and keys, written when the port answers',
      helpValue: 'PATH',
    }),
    live: Flags.boolean({ summary: 'Deal the tables automatically, until "console live off"' }),
    'allow-faults': Flags.boolean({
      summary: 'Allow "sim faults" when --host is not loopback; on loopback it is always allowed',
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
    const db = this.#database()
    const startAt = flags.clock === undefined ? undefined : momentOf(flags.clock)
    const trustedProxies = proxiesOf(flags['trust-proxy'])
    const { publicUrl } = this.settings.settings
    const [{ openWorld }, { ensureDemoWorld }, ready, { startScheduler }, { openLog }] = await Promise.all([
      import('../src/world/world.ts'),
      import('../src/world/demo-data.ts'),
      import('../src/world/ready-file.ts'),
      import('../src/world/scheduler.ts'),
      import('../src/kit/log.ts'),
    ])
    keepYoungSpaceSmall()
    const log = await openLog(this.settings.settings.logLevel === 'info' ? 'warn' : this.settings.settings.logLevel)
    // If the start fails, a database created by this run is deleted.
    const { tryAddress } = await import('../src/http/server/listen-address.ts')
    await listening(tryAddress(flags.host, flags.port), flags.port)
    const world = await openWorld({
      db,
      dataFolder: this.settings.paths.data,
      seed: flags.seed,
      startAt,
      log,
      rateLimits: !flags['no-rate-limit'],
      loopbackCallbacks: isLoopback(flags.host) && !flags['public-callbacks-only'],
      allowsFaults: flags['allow-faults'],
      trustedProxies,
      publicUrl,
    })
    this.closeLater(() => world.close())
    if (!flags['no-demo'] && (await ensureDemoWorld(world))) this.note('The database was empty. Added the demo world.')
    await this.#warnOf(world, {
      host: flags.host,
      publicUrl,
      loopbackCallbacks: isLoopback(flags.host) && !flags['public-callbacks-only'],
    })
    if (flags['no-rate-limit']) this.warn('Rate limits are disabled. Use this for development and benchmarks only.')

    const { url } = await listening(world.server.listen({ host: flags.host, port: flags.port }), flags.port)
    const { faultsNote } = await import('../src/cli/topics/sim/fault-view.ts')
    let areFaultsSet = false
    const tellFaults = (faults: readonly SetFault[]) => {
      const text = faultsNote(faults, world.faults.areAllowed())
      if (text !== undefined) this.screen.warn(text)
      else if (areFaultsSet) this.note('No faults are set.')
      areFaultsSet = text !== undefined
    }
    tellFaults(await world.faults.list())
    world.faults.watch(tellFaults)
    if (flags.live) {
      const { setLive } = await import('../src/services/casino/live/switches.ts')
      await setLive(world.casino, true)
    }
    const isLive = new Set(world.liveJobs)
    const schedulers = [
      startScheduler(
        world.jobs.filter((job) => !isLive.has(job)),
        log,
      ),
      startScheduler(world.liveJobs, log, liveMs),
    ]
    this.closeLater(async () => {
      await Promise.all(schedulers.map((scheduler) => scheduler.stop()))
    })
    const unkept = ready.keepLocalProfile(this.settings, db)
    if (unkept !== undefined) this.warn(`Could not save the profile "local": ${unkept}`)
    const document = await ready.readyDocument(world, url, db)
    const file = flags['ready-file']
    if (file !== undefined) {
      ready.writeReadyFile(file, document)
      this.closeLater(() => ready.removeReadyFile(file))
    }
    const { event, pid, baseUrl, sandboxBaseUrl } = document
    const base = document.publicUrl
    const shownDb = withoutPassword(db)
    await this.line({ event, pid, baseUrl, sandboxBaseUrl, publicUrl: base, db: shownDb }, () => `Serving at ${url}`)
    if (base !== url) this.note(`Public URL  ${base}`)
    this.note(`Reference   ${url}/docs\nDatabase    ${shownDb}\nTry         countroom players show amy`)
    await stopped(this.stop)
    return { baseUrl: url, publicUrl: base, db: shownDb, stoppedBy: String(this.stop.reason) }
  }

  /** Warns about options that are safe on loopback only. */
  async #warnOf(
    world: World,
    { host, publicUrl, loopbackCallbacks }: { host: string; publicUrl: string | undefined; loopbackCallbacks: boolean },
  ): Promise<void> {
    const isOpen = !isLoopback(host)
    const isPublic = publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)
    const { worldItself } = await import('../src/world/clock.ts')
    const { seed, served_url, public_url } = await world.store.read(worldItself)
    if (seed !== null && (isOpen || isPublic))
      this.warn(
        `Keys and secrets of a world with a seed can be computed by anyone, and ${isOpen ? `--host ${host}` : `--public-url ${publicUrl}`} makes it reachable for others. Use it for tests only; for unpredictable keys, start a new database without --seed`,
      )
    if (isPublic && loopbackCallbacks)
      this.warn(
        'Callbacks to this machine are allowed because --host is a loopback address. If merchants you do not know use this world, add --public-callbacks-only',
      )
    // Left by a process that still serves this database, or by one that was killed.
    if (served_url !== null && public_url !== (publicUrl ?? null))
      this.warn(
        `This database was last served with ${public_url === null ? 'no public URL' : `the public URL ${public_url}`} and was not closed. Every process that serves it needs the same --public-url`,
      )
  }

  /** Returns the database and creates its folder. A profile `local` that points elsewhere follows the served database. */
  #database(): string {
    const { db } = this.settings.settings
    if (!isDatabaseFile(db)) return db
    const path = resolve(db)
    makeFolder(dirname(path), 0o700)
    return path
  }
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

function momentOf(text: string): number {
  const at = Date.parse(text)
  if (Number.isNaN(at))
    throw new Problem('INVALID_USAGE', `--clock must be a time such as 2026-03-01T00:00:00Z; received ${text}`)
  return at
}

/** Listens on the port, or explains why it cannot. */
async function listening<T>(listen: Promise<T>, port: number): Promise<T> {
  try {
    return await listen
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EADDRINUSE')
      throw new Problem(
        'BAD_CONFIGURATION',
        `Port ${port} is in use. Pass another --port, or --port 0 for a free one`,
        { port },
      )
    if (code === 'EACCES')
      throw new Problem('BAD_CONFIGURATION', `No permission to listen on port ${port}. Pass a --port above 1023`, {
        port,
      })
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new Problem('BAD_CONFIGURATION', 'The address of --host does not exist on this machine')
    throw error
  }
}

function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
