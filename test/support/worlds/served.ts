import { cpSync, mkdtempSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { openEngine } from '../../../src/db/engines/open.ts'
import { world as worldMigrations } from '../../../src/db/migrations/world/index.ts'
import type { Environment } from '../../../src/domain/account/state.ts'
import { silentLog } from '../../../src/kit/log.ts'
import { credentialsOf, ensureDemo, ensureDemoWorld } from '../../../src/world/demo-data.ts'
import { readyDocument } from '../../../src/world/ready-file.ts'
import { startScheduler } from '../../../src/world/scheduler.ts'
import { openWorld, type World, type WorldOptions } from '../../../src/world/world.ts'
import { aHome, type Home, run } from '../program/cli.ts'

/** A world in this process, and the settings by which commands reach it. */
export interface Served {
  readonly world: World
  readonly url: string
  /** Opens a player's link as a browser does, so that the player is online. */
  enter(link: string): Promise<number>
}

/** Serves the demo world over HTTP; closed at the end of the test. */
export async function served(options: { db?: string; rateLimits?: boolean } = {}): Promise<Served> {
  const world = await openWorld({ db: options.db ?? ':memory:', rateLimits: options.rateLimits ?? false })
  onTestFinished(() => world.close())
  await ensureDemo(world.casino)
  const { url } = await world.server.listen()
  return {
    world,
    url,
    async enter(link) {
      const { pathname, search } = new URL(link)
      return (await fetch(url + pathname + search)).status
    },
  }
}

/**
 * Returns the document of keys of a served world for `profiles add`. `at` is its address, if it is not reached
 * directly.
 */
export async function keysOf({ world, url }: Served, at = url) {
  return { baseUrl: at, casino: await credentialsOf(world.casino, 'DEMO') }
}

/** Creates a home with a remote profile `remote` of the served world. */
export async function remoteHome(
  served: Served,
  options: { environment?: Environment; at?: string } = {},
): Promise<Home> {
  const home = aHome()
  const file = home.write('keys.json', JSON.stringify(await keysOf(served, options.at)))
  const args = ['profiles', 'add', 'remote', '--from', file, '--environment', options.environment ?? 'sandbox']
  const added = await run(args, { home })
  if (added.code !== 0) throw new Error(added.stderr)
  return { ...home, env: { ...home.env, COUNTROOM_PROFILE: 'remote' } }
}

/**
 * Creates a home whose profile `local` is the demo casino in its own file. It starts now, or at a given time for tests
 * that depend on one.
 */
export async function localHome(startAt?: number): Promise<Home & { db: string; open(): Promise<World> }> {
  const home = aHome()
  const db = join(home.folder, 'world.db')
  const open = () => openWorld({ db })
  if (startAt === undefined) await copyTo(home.folder, demoCasino)
  else await fillCasino(db, startAt)
  return { ...home, db, open, env: { ...home.env, COUNTROOM_DB: db } }
}

async function fillCasino(db: string, startAt?: number): Promise<void> {
  const world = await openWorld({ db, startAt })
  await ensureDemo(world.casino)
  await world.close()
}

async function fillWorld(db: string): Promise<void> {
  const world = await openWorld({ db, loopbackCallbacks: true })
  await ensureDemoWorld(world)
  await world.close()
}

/**
 * A folder with the files of a new world, created once per worker. Creating them takes fifty times as long as copying
 * them.
 */
type Original = () => Promise<string>

function originalOf(fill: (db: string) => Promise<void>): Original {
  let made: Promise<string> | undefined
  const make = async () => {
    const folder = mkdtempSync(join(inject('runFolder'), '.demo-'))
    await fill(join(folder, 'world.db'))
    return folder
  }
  return () => (made ??= make())
}

const demoCasino = originalOf(fillCasino)
const demoWorld = originalOf(fillWorld)

/** Copies a new world into a folder and makes the copy a separate database. */
async function copyTo(folder: string, original: Original): Promise<void> {
  cpSync(await original(), folder, { recursive: true })
  const engine = await openEngine(join(folder, 'world.db'))
  await engine.write(async (q) => worldMigrations.renew?.(q))
  await engine.close()
}

/**
 * Serves a home's demo world from this process, as `countroom serve` does. Commands of the home run next to it on the
 * same file. Closed at the end of the test. Without a scheduler, work runs only at the end of commands and when the test settles the world.
 */
export async function servedBeside({
  hasScheduler = true,
  ...options
}: Pick<WorldOptions, 'records'> & { hasScheduler?: boolean } = {}): Promise<
  { home: Home; world: World } & Awaited<ReturnType<typeof readyDocument>>
> {
  const home = aHome()
  const db = join(home.folder, 'world.db')
  await copyTo(home.folder, demoWorld)
  const dataFolder = join(home.folder, 'data', 'countroom')
  const world = await openWorld({ db, dataFolder, loopbackCallbacks: true, ...options })
  onTestFinished(() => world.close())
  const { url } = await world.server.listen()
  const scheduler = hasScheduler ? startScheduler(world.jobs, silentLog) : undefined
  onTestFinished(() => scheduler?.stop())
  const ready = await readyDocument(world, url, db)
  return { ...ready, world, home: { ...home, env: { ...home.env, COUNTROOM_DB: db } } }
}

/** Actions of a proxy on one request. */
export type Treatment =
  | 'pass'
  /** Forwards it, and closes the connection instead of sending the response. */
  | 'drop-after'
  /** Closes the connection at once. */
  | 'drop-before'
  /** Forwards it, and sends its own page with 502 instead of the response. */
  | 'html-502-after'
  | 'html-502-before'
  /** Forwards it, and never responds. */
  | 'hang-after'
  | 'slow'
  | 'status-429'
  | 'status-500'

const slowMs = 300

export interface Proxy {
  readonly url: string
  /** Method and path of each request, in order. */
  readonly seen: {
    readonly path: string
    readonly body: string
    readonly nonce: string
    readonly treatment: Treatment
  }[]
  /** Actions on the next requests whose path matches, one after another; all others are forwarded. */
  treat(path: RegExp, ...treatments: Treatment[]): void
  /** Called when the server has processed a request. The response waits until the call returns. */
  afterward(work: (path: string) => unknown): void
  /** Sets the `Date` of responses this number of seconds ahead of this machine's clock, as on another platform. */
  ahead(seconds: number): void
}

/** An HTTP proxy in front of a served world, with injected faults. */
export async function faultyProxy(target: string): Promise<Proxy> {
  const seen: { path: string; body: string; nonce: string; treatment: Treatment }[] = []
  let path = /^$/
  let script: Treatment[] = []
  let onCarriedOut: (path: string) => unknown = () => {}
  let ahead = 0
  const dated = () => (ahead === 0 ? {} : { date: new Date(Date.now() + ahead * 1000).toUTCString() })

  const server = createServer((incoming, outgoing) => {
    const gaveUp = () => void incoming.socket.destroy()
    bodyOf(incoming).then((body) => {
      const url = incoming.url ?? ''
      const treatment = path.test(url) ? (script.shift() ?? 'pass') : 'pass'
      seen.push({ path: url, body: body.toString(), nonce: String(incoming.headers['x-nonce']), treatment })
      answer(treatment, incoming, outgoing, body)
    }, gaveUp)
  })

  function answer(treatment: Treatment, incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer): void {
    const html = (status: number) =>
      outgoing.writeHead(status, { 'content-type': 'text/html' }).end('<html>edge</html>')
    if (treatment === 'drop-before') return void incoming.socket.destroy()
    if (treatment === 'html-502-before') return void html(502)
    if (treatment === 'status-429') return void html(429)
    if (treatment === 'status-500') return void html(500)
    const { host: _host, connection: _connection, ...headers } = incoming.headers
    const onward = request(target + incoming.url, { method: incoming.method, headers, agent: false }, (reply) => {
      // A killed client also closes its connection here.
      const brokenOff = () => void incoming.socket.destroy()
      bodyOf(reply).then(async (text) => {
        await onCarriedOut(incoming.url ?? '')
        if (treatment === 'hang-after') return
        if (treatment === 'drop-after') return void incoming.socket.destroy()
        if (treatment === 'html-502-after') return void html(502)
        const give = () => {
          const { 'x-countroom-time': world, ...others } = reply.headers
          const time = ahead === 0 && world !== undefined ? { 'x-countroom-time': world } : dated()
          outgoing.writeHead(reply.statusCode ?? 500, { ...others, ...time }).end(text)
        }
        if (treatment === 'slow') setTimeout(give, slowMs)
        else give()
      }, brokenOff)
    })
    onward.on('error', () => incoming.socket.destroy())
    onward.end(body)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    treat(pattern, ...treatments) {
      path = pattern
      script = treatments
    },
    ahead(seconds) {
      ahead = seconds
    },
    afterward(work) {
      onCarriedOut = work
    },
  }
}

async function bodyOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
