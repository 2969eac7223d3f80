import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tenantSigner } from '../../src/http/client/signers.ts'
import { ended, measured, median, root, served, workbench } from '../support/processes.ts'
import { count, figure, isQuick } from './bench.ts'
import { fire, type Shot } from './load.ts'
import { aDatabase } from './postgres.ts'

const connections = 32
const players = 40

interface Key {
  readonly apiKey: string
  readonly secret: string
}

/** Makes deposits for many players, signed, and no two of one id. */
function magazine(key: Key): (size: number) => Promise<Shot[]> {
  const sign = tenantSigner({ ...key, now: Date.now, random: (size) => crypto.getRandomValues(new Uint8Array(size)) })
  let orders = 0
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

/** Signed deposits, each durable before it is answered, against a server that only checks the signature. */
export async function depositing(): Promise<void> {
  const { folder, env, done } = workbench('deposit')
  const world = await served(folder, env, ['--db', join(folder, 'world.db'), '--no-rate-limit'])
  const key = keyIn(world.readyFile)
  const bare = spawn(process.execPath, [join(root, 'test/bench/bare-server.ts'), key.secret], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(bare.stdout, 'data')
  const shots = magazine(key)
  const size = isQuick ? 500 : 8_000
  const own: number[] = []
  const baseline: number[] = []
  const ratios: number[] = []
  for (let turn = -1; turn < (isQuick ? 2 : 5); turn++) {
    const theirs = await fire(`http://127.0.0.1:${String(port).trim()}`, await shots(size), connections)
    const ours = await fire(world.baseUrl, await shots(size), connections)
    if (turn < 0) continue
    baseline.push(theirs)
    own.push(ours)
    ratios.push(ours / theirs)
  }
  await ended(bare, 'SIGTERM')
  await world.stop()
  const ratio = median(ratios)
  figure({
    what: `signed, durable deposits over ${connections} connections`,
    measured: `${count(median(own))}/s`,
    baseline: `bare node:http that checks the HMAC ${count(median(baseline))}/s`,
    ratio,
    goal: 'at least 0.35×',
    isMet: ratio >= 0.35,
  })
  done()
}

/** The same on PostgreSQL, by one served process and by two on one database, against the same statements without a service. */
export async function banking(): Promise<void> {
  const { folder, env, done } = workbench('bank')
  const postgres = await aDatabase()
  const args = ['--db', postgres.url, '--no-rate-limit']
  const one = await served(folder, env, args)
  const other = await served(folder, env, args)
  const shots = magazine(keyIn(one.readyFile))
  const size = isQuick ? 300 : 3_000
  const script = join(root, 'test/bench/bare-deposits.ts')
  const baseline: number[] = []
  const alone: number[] = []
  const both: number[] = []
  for (let turn = -1; turn < (isQuick ? 1 : 5); turn++) {
    const bare = Number((await measured([script, postgres.url, String(size), String(players)], env)).out)
    const byOne = await fire(one.baseUrl, await shots(size), connections)
    const halves = await Promise.all([shots(size / 2), shots(size / 2)])
    const begun = performance.now()
    await Promise.all([one, other].map(({ baseUrl }, i) => fire(baseUrl, halves[i] ?? [], connections / 2)))
    const byBoth = size / ((performance.now() - begun) / 1000)
    if (turn < 0) continue
    baseline.push(bare)
    alone.push(byOne)
    both.push(byBoth)
  }
  await Promise.all([one.stop(), other.stop()])
  await postgres.stop()
  const bare = `the same statements by the bare driver ${count(median(baseline))}/s`
  for (const [name, rates] of [
    ['one process', alone],
    ['two processes', both],
  ] as const) {
    const ratio = median(rates.map((rate, turn) => rate / (baseline[turn] ?? Number.NaN)))
    figure({
      what: `signed, durable deposits over ${connections} connections, PostgreSQL, ${name}`,
      measured: `${count(median(rates))}/s`,
      baseline: bare,
      ratio,
    })
  }
  done()
}
