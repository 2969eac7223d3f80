import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tenantSigner } from '../../src/http/client/signers.ts'
import { countroom, median, program, served, workbench } from '../support/program/processes.ts'
import { count, figure, isQuick } from './bench.ts'
import { fire, type Shot } from './load.ts'

/** Default concurrency of `wallet apply`. */
const connections = 8
const players = 400

/**
 * A batch of many transfers, each recorded before it is sent and after its response, compared with the same deposits by
 * a client without a book.
 */
export async function applying(): Promise<void> {
  const { folder, env, done } = workbench('apply')
  const world = await served(folder, env, ['--db', join(folder, 'world.db'), '--no-rate-limit'])
  countroom(['profiles', 'add', 'house', '--environment', 'live', '--from', world.readyFile], env)
  const key = JSON.parse(readFileSync(world.readyFile, 'utf8')).casino.live as { apiKey: string; secret: string }
  const sign = tenantSigner({ ...key, now: Date.now, random: (size) => crypto.getRandomValues(new Uint8Array(size)) })
  const size = isQuick ? 800 : 4_000
  const shots = (turn: number) =>
    Promise.all(
      Array.from({ length: size }, async (_, i): Promise<Shot> => {
        const body = JSON.stringify({
          username: `p${i % players}`,
          txnId: `bare-${turn}-${i}`,
          amount: '1',
          currency: 'USD',
        })
        const order = { method: 'POST', path: '/api/tenant/v1/wallet/deposit', body } as const
        return { ...order, headers: { 'content-type': 'application/json', ...(await sign({ ...order, headers: {} })) } }
      }),
    )
  const place = ['--profile', 'house', '--rate', '100000', '--rate-share', '100']
  const own: number[] = []
  const baseline: number[] = []
  for (let turn = 0; turn < (isQuick ? 1 : 3); turn++) {
    baseline.push(await fire(world.baseUrl, await shots(turn), connections))
    const file = join(folder, `plan-${turn}.csv`)
    const rows = Array.from({ length: size }, (_, i) => `p${i % players},1,USD,plan-${turn}-${i}`)
    writeFileSync(file, `username,amount,currency,txnId\n${rows.join('\n')}\n`)
    countroom(['wallet', 'plan', file, '--id', `plan-${turn}`, '--again', ...place], env)
    countroom(
      ['wallet', 'approve', `plan-${turn}`, '--yes', '--confirm-total', `${size}:USD`, '--profile', 'house'],
      env,
    )
    const begun = performance.now()
    const { status, stderr } = spawnSync(process.execPath, [program, 'wallet', 'apply', `plan-${turn}`, ...place], {
      env,
    })
    if (status !== 0) throw new Error(`wallet apply ended in ${status}: ${stderr}`)
    own.push(size / ((performance.now() - begun) / 1000))
  }
  await world.stop()
  const ratio = median(own) / median(baseline)
  figure({
    what: `wallet apply, ${count(size)} rows for ${players} players, start of the program included`,
    measured: `${count(median(own))} rows/s`,
    baseline: `the same deposits over ${connections} connections, without a book ${count(median(baseline))}/s`,
    ratio,
    goal: 'at least 0.2×',
    isMet: ratio >= 0.2,
  })
  done()
}
