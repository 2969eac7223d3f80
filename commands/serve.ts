import { dirname, resolve } from 'node:path'
import { CountroomCommand } from '../src/cli/framework/command.ts'
import { Flags } from '../src/cli/framework/flags.ts'
import { isDatabaseFile, withoutPassword } from '../src/db/engines/database-name.ts'
import { isLoopback } from '../src/http/server/public-url.ts'
import { isProxyRange } from '../src/http/server/trusted-proxies.ts'
import { keepYoungSpaceSmall } from '../src/kit/heap-limits.ts'
import { makeFolder } from '../src/kit/make-folder.ts'
import { Problem } from '../src/kit/problem.ts'
import type { SetFault } from '../src/world/faults.ts'
import type { World } from '../src/world/world.ts'

/** How often the live tables are looked after: short enough that they seem to move by themselves. */
const liveMs = 250

export default class Serve extends CountroomCommand {
  static override summary = 'Serve the platform on this machine: the API an operator builds against'
  static override description =
    'Everything runs in this one process on one database. An empty database gets a small demo world: the operator DEMO with its sandbox, four players and every table, a merchant with funds in both environments of the gateway, and two merchants of the chat. The profile "local" is kept pointing at the database, so every other command finds it. Ctrl-C finishes what is under way and stops.'
  static override examples = [
    { command: 'countroom serve', description: 'On port 8787, with the usual database' },
    { command: 'countroom serve --db ./world.db --port 0 --ready-file ready.json', description: 'For a script' },
    {
      command: 'countroom serve --db ./test.db --seed 7 --clock 2026-03-01T00:00:00Z',
      description: 'The same world every time',
    },
  ]
  static override streams = true
  static override files = ['the ready file: written whole when the port answers, removed at the end, mode 0600']
  static override completes = { db: 'files', 'ready-file': 'files' }
  static override flags = {
    db: Flags.string({ summary: 'The database: a file, or a postgres:// address', helpValue: 'PATH|URL' }),
    host: Flags.string({ summary: 'The address to listen on', default: '127.0.0.1' }),
    port: Flags.integer({ summary: 'The port; 0 picks a free one', default: 8787, min: 0, max: 65_535 }),
    'public-url': Flags.string({
      summary:
        'Base of every URL that is handed out, such as launch links and hosted pages; a path is allowed (COUNTROOM_PUBLIC_URL)',
      helpValue: 'URL',
    }),
    seed: Flags.string({ summary: 'Make every generated id, key, deal and name the same again', helpValue: 'N' }),
    clock: Flags.string({ summary: "Set the world's clock to this moment first", helpValue: 'ISO' }),
    'ready-file': Flags.string({
      summary: 'Where to write addresses and keys once the port answers',
      helpValue: 'PATH',
    }),
    live: Flags.boolean({ summary: 'Deal the tables live, as "console live on" does, until "console live off"' }),
    'allow-faults': Flags.boolean({
      summary: 'Let "sim faults" be set also where --host lets others in; on this machine alone it always may',
    }),
    'no-demo': Flags.boolean({ summary: 'Leave an empty database without the demo world' }),
    'public-callbacks-only': Flags.boolean({
      summary: 'Refuse callback addresses on this machine too, as a world on the open network does',
    }),
    'trust-proxy': Flags.string({
      summary:
        'Proxies whose X-Forwarded-For, -Proto and -Host are trusted, separated by commas: addresses, networks, or loopback, linklocal, uniquelocal',
      helpValue: 'ADDRESS',
    }),
    'no-rate-limit': Flags.boolean({ summary: 'Switch all rate limits off, for development and benchmarks' }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({
      baseUrl: Type.String({ description: 'The address served at, as this machine reaches it' }),
      publicUrl: Type.String({ description: 'Base of the URLs that are handed out' }),
      db: Type.String(),
      stoppedBy: Type.String(),
    })
  }

  override async run() {
    const { flags } = await this.parse(Serve)
    const db = this.#database()
    const startAt = flags.clock === undefined ? undefined : momentOf(flags.clock)
    const trustedProxies = proxiesOf(flags['trust-proxy'])
    const { publicUrl } = this.settings.settings
    const [{ openWorld }, { ensureDemoWorld }, ready, { startPump }, { openLog }] = await Promise.all([
      import('../src/world/world.ts'),
      import('../src/world/demo-data.ts'),
      import('../src/world/ready-file.ts'),
      import('../src/world/scheduler.ts'),
      import('../src/kit/log.ts'),
    ])
    keepYoungSpaceSmall()
    const log = await openLog(this.settings.settings.logLevel === 'info' ? 'warn' : this.settings.settings.logLevel)
    // A start that fails leaves no new database behind.
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
    if (!flags['no-demo'] && (await ensureDemoWorld(world)))
      this.note('The database was empty: the demo world is in it now.')
    await this.#warnOf(world, {
      host: flags.host,
      publicUrl,
      loopbackCallbacks: isLoopback(flags.host) && !flags['public-callbacks-only'],
    })
    if (flags['no-rate-limit']) this.warn('Rate limits are off: this is for development and benchmarks only.')

    const { url } = await listening(world.server.listen({ host: flags.host, port: flags.port }), flags.port)
    const { faultsNote } = await import('../src/cli/topics/sim/fault-view.ts')
    let areFaultsSet = false
    const tellFaults = (faults: readonly SetFault[]) => {
      const text = faultsNote(faults, world.faults.areAllowed())
      if (text !== undefined) this.screen.warn(text)
      else if (areFaultsSet) this.note('No fault is set any more.')
      areFaultsSet = text !== undefined
    }
    tellFaults(await world.faults.list())
    world.faults.watch(tellFaults)
    if (flags.live) {
      const { setLive } = await import('../src/services/casino/live/switches.ts')
      await setLive(world.casino, true)
    }
    const isLive = new Set(world.livePasses)
    const pumps = [
      startPump(
        world.passes.filter((pass) => !isLive.has(pass)),
        log,
      ),
      startPump(world.livePasses, log, liveMs),
    ]
    this.closeLater(async () => {
      await Promise.all(pumps.map((pump) => pump.stop()))
    })
    const unkept = ready.keepLocalProfile(this.settings, db)
    if (unkept !== undefined) this.warn(`The profile "local" was not kept: ${unkept}`)
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

  /** What is safe on this machine alone and is not where others come in. */
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
        `This world has a seed, so anybody can compute its keys and secrets, and ${isOpen ? `--host ${host}` : `--public-url ${publicUrl}`} lets others reach it. Use it for tests only; a new database without --seed has keys nobody can predict`,
      )
    if (isPublic && loopbackCallbacks)
      this.warn(
        'Callbacks to addresses on this machine are accepted, because --host is a loopback address; add --public-callbacks-only when merchants you do not know use this world',
      )
    // Left behind by a process that still serves this database, or by one that was killed.
    if (served_url !== null && public_url !== (publicUrl ?? null))
      this.warn(
        `This database was last served with ${public_url === null ? 'no public URL' : `the public URL ${public_url}`} and has not been closed; every process that serves it needs the same --public-url`,
      )
  }

  /** The database that is meant, its folder made. A profile of the name `local` that points elsewhere follows what is served. */
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
      `--trust-proxy takes addresses such as 10.1.2.3, networks such as 10.0.0.0/8, loopback, linklocal or uniquelocal, not ${wrong.map((each) => JSON.stringify(each)).join(', ')}`,
    )
  return ranges
}

function momentOf(text: string): number {
  const at = Date.parse(text)
  if (Number.isNaN(at))
    throw new Problem('INVALID_USAGE', `--clock must be a moment such as 2026-03-01T00:00:00Z, not ${text}`)
  return at
}

/** The port, or the refusal that says what to do about it. */
async function listening<T>(listen: Promise<T>, port: number): Promise<T> {
  try {
    return await listen
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EADDRINUSE')
      throw new Problem(
        'BAD_CONFIGURATION',
        `Port ${port} is taken: choose another with --port, or 0 for any free one`,
        { port },
      )
    if (code === 'EACCES') throw new Problem('BAD_CONFIGURATION', `Port ${port} is not for this user`, { port })
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new Problem('BAD_CONFIGURATION', 'This machine does not have the address given by --host')
    throw error
  }
}

function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
