import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tenantSigner } from '../../src/http/client/signers.ts'
import { ended, measured, median, root, served, usageOf, workbench } from '../support/program/processes.ts'
import { count, figure, isQuick } from './bench.ts'
import { fire, type Shot } from './load.ts'
import { aDatabase } from './postgres.ts'

const connections = 32
const players = 40

interface Key {
  readonly apiKey: string
  readonly secret: string
}

/** Creates signed deposits for many players, each with its own id, numbered from `start`. */
function magazine(key: Key, start = 0): (size: number) => Promise<Shot[]> {
  const sign = tenantSigner({ ...key, now: Date.now, random: (size) => crypto.getRandomValues(new Uint8Array(size)) })
  let orders = start
  return (size) =>
    Promise.all(
      Array.from({ length: size }, async (): Promise<Shot> => {
        const n = ++orders
        const body = JSON.stringify({ username: `p${n % players}`, txnId: `bench-${n}`, amount: '1', currency: 'USD' })
        const order = { method: 'POST', path: '/api/tenant/v1/wallet/deposit', body } as const
        return { ...order, headers: { 'content-type': 'application/json', ...(await sign({ ...order, headers: {} })) } }
      }),
    )
}

const keyIn = (readyFile: string) => JSON.parse(readFileSync(readyFile, 'utf8')).casino.live as Key

/** A server that receives deposits, and the results of its turns. */
interface Target {
  readonly url: string
  readonly pid: number | undefined
  readonly shots: (size: number) => Promise<Shot[]>
  readonly rates: number[]
  /** CPU time per deposit. Empty if the system does not report it. */
  readonly cpuUs: number[]
  readonly writtenKb: number[]
}

const targetOf = (url: string, pid: number | undefined, shots: Target['shots']): Target => ({
  ...{ url, pid, shots },
  ...{ rates: [], cpuUs: [], writtenKb: [] },
})

/** Sends this many deposits to a target, and stores the result unless it is a warm-up. */
async function charge(target: Target, size: number, isWarmUp: boolean): Promise<void> {
  const shots = await target.shots(size)
  const before = usageOf(target.pid)
  const rate = await fire(target.url, shots, connections)
  const after = usageOf(target.pid)
  if (isWarmUp) return
  target.rates.push(rate)
  if (!before || !after) return
  target.cpuUs.push((after.cpuUs - before.cpuUs) / size)
  target.writtenKb.push((after.written - before.written) / 1024 / size)
}

/** Starts a script of this folder that prints its port. */
async function scriptServer(name: string, argument: string, env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [join(root, 'test/bench', name), argument], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(child.stdout, 'data')
  return { child, url: `http://127.0.0.1:${String(port).trim()}` }
}

/** Creates a world's database with the players of the deposits, for the minimal server. */
async function stoppedWorld(file: string, folder: string, env: NodeJS.ProcessEnv): Promise<Key> {
  const world = await served(folder, env, ['--db', file, '--no-rate-limit'])
  const key = keyIn(world.readyFile)
  await fire(world.baseUrl, await magazine(key)(players), 1)
  await world.stop()
  return key
}

/**
 * Signed deposits, each durable before its response, compared with a server that only checks the signature, and with a
 * single file that stores them in the same tables.
 */
export async function depositing(): Promise<void> {
  const { folder, env, done } = workbench('deposit')
  const minimalDb = join(folder, 'minimal.db')
  const minimalKey = await stoppedWorld(minimalDb, folder, env)
  const world = await served(folder, env, ['--db', join(folder, 'world.db'), '--no-rate-limit'])
  const key = keyIn(world.readyFile)
  const bareServer = await scriptServer('baselines/bare-server.ts', key.secret, env)
  const minimalServer = await scriptServer('baselines/minimal-deposits.ts', minimalDb, env)
  const own = targetOf(world.baseUrl, world.pid, magazine(key))
  const bare = targetOf(bareServer.url, bareServer.child.pid, own.shots)
  const minimal = targetOf(minimalServer.url, minimalServer.child.pid, magazine(minimalKey, players))
  const size = isQuick ? 500 : 8_000
  for (let turn = -1; turn < (isQuick ? 2 : 5); turn++)
    for (const target of [bare, minimal, own]) await charge(target, size, turn < 0)
  await ended(bareServer.child, 'SIGTERM')
  await ended(minimalServer.child, 'SIGTERM')
  await world.stop()
  const ratio = median(own.rates.map((rate, turn) => rate / (bare.rates[turn] ?? Number.NaN)))
  figure({
    what: `signed, durable deposits over ${connections} connections`,
    measured: `${count(median(own.rates))}/s`,
    baseline: `bare node:http that checks the HMAC ${count(median(bare.rates))}/s`,
    ratio,
    goal: 'at least 0.35×',
    isMet: ratio >= 0.35,
  })
  if (own.cpuUs.length > 0) usageFigures(own, minimal)
  done()
}

function usageFigures(own: Target, minimal: Target): void {
  const ratio = median(own.cpuUs.map((us, turn) => (minimal.cpuUs[turn] ?? Number.NaN) / us))
  figure({
    what: 'processor time of the server per deposit; the ratio is that of speeds',
    measured: `${count(median(own.cpuUs))} µs`,
    baseline: `minimal server on the same tables ${count(median(minimal.cpuUs))} µs`,
    ratio,
    goal: 'at least 0.5×',
    isMet: ratio >= 0.5,
  })
  const written = median(own.writtenKb)
  figure({
    what: 'written to disk per deposit',
    measured: `${written.toFixed(1)} KB`,
    baseline: `minimal server on the same tables ${median(minimal.writtenKb).toFixed(1)} KB`,
    goal: 'at most 12 KB',
    isMet: written <= 12,
  })
}

/**
 * The same on PostgreSQL, by one process and by two on one database, compared with the same statements without a
 * service.
 */
export async function banking(): Promise<void> {
  const { folder, env, done } = workbench('bank')
  const postgres = await aDatabase()
  const args = ['--db', postgres.url, '--no-rate-limit']
  const one = await served(folder, env, args)
  const other = await served(folder, env, args)
  const shots = magazine(keyIn(one.readyFile))
  const size = isQuick ? 300 : 3_000
  const script = join(root, 'test/bench/baselines/bare-deposits.ts')
  const baseline: number[] = []
  const alone: number[] = []
  const both: number[] = []
  const cpuUs = () => [one, other].reduce((sum, { pid }) => sum + (usageOf(pid)?.cpuUs ?? Number.NaN), 0)
  const aloneUs: number[] = []
  const bothUs: number[] = []
  for (let turn = -1; turn < (isQuick ? 1 : 5); turn++) {
    const bare = Number((await measured([script, postgres.url, String(size), String(players)], env)).out)
    const shotsOfOne = await shots(size)
    const beforeOne = cpuUs()
    const byOne = await fire(one.baseUrl, shotsOfOne, connections)
    const usedByOne = cpuUs() - beforeOne
    const halves = await Promise.all([shots(size / 2), shots(size / 2)])
    const beforeBoth = cpuUs()
    const begun = performance.now()
    await Promise.all([one, other].map(({ baseUrl }, i) => fire(baseUrl, halves[i] ?? [], connections / 2)))
    const byBoth = size / ((performance.now() - begun) / 1000)
    if (turn < 0) continue
    baseline.push(bare)
    alone.push(byOne)
    both.push(byBoth)
    aloneUs.push(usedByOne / size)
    bothUs.push((cpuUs() - beforeBoth) / size)
  }
  await Promise.all([one.stop(), other.stop()])
  await postgres.stop()
  const bare = `the same statements by the bare driver ${count(median(baseline))}/s`
  for (const [name, rates, used] of [
    ['one process', alone, aloneUs],
    ['two processes', both, bothUs],
  ] as const) {
    const ratio = median(rates.map((rate, turn) => rate / (baseline[turn] ?? Number.NaN)))
    figure({
      what: `signed, durable deposits over ${connections} connections, PostgreSQL, ${name}`,
      measured: `${count(median(rates))}/s, ${count(median(used))} µs of processor time each`,
      baseline: bare,
      ratio,
    })
  }
  done()
}
