import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** Whole processes as a user would start them, with their time and memory measured from outside. */

export const root = resolve(import.meta.dirname, '../../..')
export const program = join(root, 'bin/run.js')

/** Creates a folder for a measurement, with settings that are separate from the user's. */
export function workbench(name: string): { folder: string; env: NodeJS.ProcessEnv; done(): void } {
  const folder = mkdtempSync(join(tmpdir(), `countroom-bench-${name}-`))
  const outer = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('COUNTROOM_')))
  const home = (part: string) => join(folder, 'home', part)
  const env = {
    ...outer,
    XDG_CONFIG_HOME: home('config'),
    XDG_STATE_HOME: home('state'),
    XDG_DATA_HOME: home('data'),
    XDG_CACHE_HOME: home('cache'),
  }
  return { folder, env, done: () => rmSync(folder, { recursive: true, force: true }) }
}

export interface Measured {
  readonly ms: number
  /** Time to the first output on either stream after the line that names the target; the duration of the whole run if there was none. */
  readonly firstMs: number
  /** Time to the first output on stdout, without progress and warnings. */
  readonly firstRowMs: number
  /** CPU time of all its threads, user and system, in steps of 10 ms; 0 if the system does not report it. */
  readonly cpuMs: number
  /** Peak memory of the process, in MB; 0 if the system does not report it. */
  readonly peakMb: number
  readonly out: string
}

/** Runs a process until it exits. Throws for an unexpected exit code. */
export function measured(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  expected: readonly number[] = [0],
): Promise<Measured> {
  return new Promise((done, fail) => {
    const begun = performance.now()
    const cpuBefore = cpuOfChildren()
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let complaint = ''
    let peakMb = 0
    let firstMs: number | undefined
    let firstRowMs: number | undefined
    const memorySampler = setInterval(() => {
      peakMb = Math.max(peakMb, peakOf(child))
    }, 10)
    child.stdout.on('data', (text) => {
      firstRowMs ??= performance.now() - begun
      firstMs ??= firstRowMs
      out += text
    })
    child.stderr.on('data', (text) => {
      complaint += text
      if (/^(?!Profile )./m.test(complaint)) firstMs ??= performance.now() - begun
    })
    child.once('error', fail)
    child.once('close', (code) => {
      clearInterval(memorySampler)
      const ms = performance.now() - begun
      if (expected.includes(code ?? -1))
        done({
          ms,
          firstMs: firstMs ?? ms,
          firstRowMs: firstRowMs ?? ms,
          cpuMs: cpuOfChildren() - cpuBefore,
          peakMb,
          out,
        })
      else fail(new Error(`${args.join(' ')} ended in ${code}: ${complaint.slice(-2000)}`))
    })
  })
}

/** Returns the CPU time of all children that have exited, as Linux counts it. */
function cpuOfChildren(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*[)] /s, '')
      .split(' ')
    const [user = 0, system = 0] = fields.slice(13, 15).map(Number)
    return 10 * (user + system)
  } catch {
    return 0
  }
}

/** Returns the peak memory of a process, as Linux counts it. */
function peakOf(child: ChildProcess): number {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Resources used by a process since its start. */
export interface Usage {
  /** CPU time, user and system, in microseconds; Linux counts in hundredths of a second. */
  readonly cpuUs: number
  /** Bytes sent to the storage layer. */
  readonly written: number
}

/** Reads a process's usage from /proc; `undefined` where there is none. */
export function usageOf(pid: number | undefined): Usage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it may contain spaces; user and system time are the 12th and 13th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const written = /^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]
    return { cpuUs: (Number(fields[11]) + Number(fields[12])) * 10_000, written: Number(written) }
  } catch {
    return undefined
  }
}

export interface Served {
  readonly pid: number | undefined
  readonly baseUrl: string
  readonly readyFile: string
  readonly readyMs: number
  /** Stops the process as an operator does. */
  stop(): Promise<void>
  /** Kills the process, as a power cut would. */
  kill(): Promise<void>
}

/** Waits for a file to appear. To look for it every millisecond would take a tenth of the CPU time of a start. */
function watchedFile(path: string): { appeared: Promise<void>; stop(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const watcher = watch(dirname(path), () => {
    if (existsSync(path)) resolve()
  })
  return { appeared: promise, stop: () => watcher.close() }
}

/** Serves a world and waits until its port answers. The time is from the start of the process to the first answer. */
export async function served(folder: string, env: NodeJS.ProcessEnv, args: readonly string[] = []): Promise<Served> {
  const begun = performance.now()
  const port = args.includes('--port') ? [] : ['--port', '0']
  const given = args.indexOf('--ready-file')
  const readyFile = given < 0 ? join(folder, `ready-${process.hrtime.bigint()}.json`) : (args[given + 1] ?? '')
  const ready = given < 0 ? ['--ready-file', readyFile] : []
  const all = [program, 'serve', ...port, ...ready, ...args]
  const errors = openSync(`${readyFile}.stderr`, 'w')
  const isReady = watchedFile(readyFile)
  const child = spawn(process.execPath, all, { env, stdio: ['ignore', 'ignore', errors] })
  closeSync(errors)
  const exit = once(child, 'exit')
  // A busy machine may take long: the test's own time limit applies.
  await Promise.race([isReady.appeared, exit])
  isReady.stop()
  if (!existsSync(readyFile)) {
    const complaint = readFileSync(`${readyFile}.stderr`, 'utf8').slice(-2000)
    throw new Error(`the world did not come up: exit ${child.exitCode}: ${complaint}`)
  }
  const { baseUrl } = JSON.parse(readFileSync(readyFile, 'utf8'))
  await fetch(`${baseUrl}/docs`)
  const readyMs = performance.now() - begun
  return {
    pid: child.pid,
    baseUrl,
    readyFile,
    readyMs,
    stop: () => ended(child, 'SIGTERM'),
    kill: () => ended(child, 'SIGKILL'),
  }
}

/** Runs a countroom command until it exits and returns its data. */
export function countroom(args: readonly string[], env: NodeJS.ProcessEnv): unknown {
  const { stdout, status, stderr } = spawnSync(process.execPath, [program, ...args, '--json'], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`countroom ${args.join(' ')} ended in ${status}: ${stderr}${stdout}`)
  return JSON.parse(stdout).data
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

/** Sends a signal and waits until the process exits. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolved) => child.once('exit', resolved))
  child.kill(signal)
  await exit
}
