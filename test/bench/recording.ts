import { overHttp } from '../../src/http/client/transport.ts'
import { credentialsOf, ensureDemoWorld } from '../../src/world/demo-data.ts'
import { casinoOn } from '../../src/world/library/connect.ts'
import { openWorld } from '../../src/world/world.ts'
import { median } from '../support/program/processes.ts'
import { figure, isQuick } from './bench.ts'

const deposits = isQuick ? 300 : 1_500
const rounds = isQuick ? 3 : 11

async function aWorld(isRecording: boolean) {
  const records = isRecording ? { records: { requests: true, hasDesk: false } } : {}
  const world = await openWorld({ db: ':memory:', rateLimits: false, ...records })
  await ensureDemoWorld(world)
  const { url } = await world.server.listen({ port: 0 })
  const http = overHttp(url)
  const { live } = (await credentialsOf(world.casino, 'DEMO')) ?? {}
  if (!live?.apiKey || !live.secret) throw new Error('the demo has no keys')
  const client = casinoOn(http, { apiKey: live.apiKey, secret: live.secret })
  let txn = 0
  /** Returns the processor time of a deposit, in microseconds. */
  const deposit = async () => {
    const before = process.cpuUsage()
    const next = async () => {
      for (let i = 0; i < deposits / 10; i++)
        await client.deposit({ body: { username: 'amy', txnId: `t${txn++}`, amount: '0.0001', currency: 'USD' } })
    }
    await Promise.all(Array.from({ length: 10 }, next))
    const { user, system } = process.cpuUsage(before)
    return (user + system) / deposits
  }
  return { deposit, close: () => Promise.all([world.close(), http.close()]) }
}

/**
 * Compares a world that records and counts its requests with one that does neither: the same deposits over HTTP, in interleaved
 * rounds. Client and server share this process, so the figures are the processor time of both.
 */
export async function recording(): Promise<void> {
  const [on, off] = [await aWorld(true), await aWorld(false)]
  await on.deposit()
  await off.deposit()
  const pairs: { on: number; off: number }[] = []
  for (let round = 0; round < rounds; round++) {
    // Each goes first in every other round.
    if (round % 2 === 0) pairs.push({ on: await on.deposit(), off: await off.deposit() })
    else {
      const without = await off.deposit()
      pairs.push({ on: await on.deposit(), off: without })
    }
  }
  await Promise.all([on.close(), off.close()])
  const ratio = median(pairs.map((pair) => pair.on / pair.off))
  figure({
    what: 'a deposit while requests are recorded, processor time',
    measured: `${median(pairs.map((pair) => pair.on)).toFixed(0)} µs`,
    baseline: `not recorded ${median(pairs.map((pair) => pair.off)).toFixed(0)} µs`,
    ratio,
    goal: 'at most 1.05 times',
    isMet: ratio <= 1.05,
  })
}
