import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tenantSigner } from '../../src/wire/signers.ts'
import { ended, median, root, served, workbench } from '../support/processes.ts'
import { count, figure, isQuick } from './bench.ts'
import { fire, type Shot } from './load.ts'

const connections = 32
const players = 40

/** Signed deposits, each durable before it is answered, against a server that only checks the signature. */
export async function depositing(): Promise<void> {
  const { folder, env, done } = workbench('deposit')
  const world = await served(folder, env, ['--db', join(folder, 'world.db'), '--no-rate-limit'])
  const key = JSON.parse(readFileSync(world.readyFile, 'utf8')).casino.live as { apiKey: string; secret: string }
  const bare = spawn(process.execPath, [join(root, 'test/bench/bare-server.ts'), key.secret], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(bare.stdout, 'data')
  const sign = tenantSigner({ ...key, now: Date.now, random: (size) => crypto.getRandomValues(new Uint8Array(size)) })
  let orders = 0
  const shots = (size: number): Promise<Shot[]> =>
    Promise.all(
      Array.from({ length: size }, async (): Promise<Shot> => {
        const n = ++orders
        const body = JSON.stringify({ username: `p${n % players}`, txnId: `bench-${n}`, amount: '1', currency: 'USD' })
        const order = { method: 'POST', path: '/api/tenant/v1/wallet/deposit', body } as const
        return { ...order, headers: { 'content-type': 'application/json', ...(await sign({ ...order, headers: {} })) } }
      }),
    )
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
