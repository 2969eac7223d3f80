import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { overHttp } from '../../src/http/client/transport.ts'
import { casinoOn } from '../../src/world/library/connect.ts'
import { median } from '../support/program/processes.ts'
import { figure, isQuick } from './bench.ts'

const deposits = isQuick ? 300 : 1_000
const rounds = isQuick ? 3 : 7
/** Pairs of processes. What one has compiled differs from the other by more than the recording costs, so one pair decides nothing. */
const processes = isQuick ? 1 : 7

/** Deposits of the first round, also in a quick run: 10,000 are kept, and each after that replaces one. */
const filling = 10_000

async function aServer(kind: 'recording' | 'plain') {
  const server = fork(fileURLToPath(new URL('recording-server.ts', import.meta.url)), [kind])
  const [{ url, apiKey, secret }] = await once(server, 'message')
  const http = overHttp(url)
  const client = casinoOn(http, { apiKey, secret })
  let txn = 0
  const cpu = async (): Promise<number> => {
    server.send('cpu')
    return (await once(server, 'message'))[0]
  }
  return {
    /** Returns the server's processor time of a deposit, in microseconds. */
    async deposit(count = deposits) {
      const before = await cpu()
      const next = async () => {
        for (let i = 0; i < count / 10; i++)
          await client.deposit({ body: { username: 'amy', txnId: `t${txn++}`, amount: '0.0001', currency: 'USD' } })
      }
      await Promise.all(Array.from({ length: 10 }, next))
      return ((await cpu()) - before) / count
    },
    async close() {
      await http.close()
      const exit = once(server, 'exit')
      server.disconnect()
      await exit
    },
  }
}

/** Returns the processor time of a deposit in a process that records and in one that does not. */
async function aPair(isRecordingFirst: boolean): Promise<{ on: number; off: number }> {
  const [on, off] = [await aServer('recording'), await aServer('plain')]
  const order = isRecordingFirst ? [on, off] : [off, on]
  for (const server of order) await server.deposit(filling)
  const times = new Map([on, off].map((server) => [server, [] as number[]]))
  // Each goes first in every other round.
  for (let round = 0; round < rounds; round++)
    for (const server of round % 2 === 0 ? order : order.toReversed()) times.get(server)?.push(await server.deposit())
  await Promise.all([on.close(), off.close()])
  return { on: median(times.get(on) ?? []), off: median(times.get(off) ?? []) }
}

/**
 * Compares processes whose worlds record and count their requests without readers, with processes that do neither: the same
 * deposits over HTTP, in interleaved rounds. The figures are the processor time of the serving process, user and system.
 */
export async function recording(): Promise<void> {
  const pairs: { on: number; off: number }[] = []
  for (let pair = 0; pair < processes; pair++) pairs.push(await aPair(pair % 2 === 0))
  const ratios = pairs.map((pair) => pair.on / pair.off)
  const ratio = median(ratios)
  figure({
    what: 'a deposit while requests are recorded, processor time',
    measured: `${median(pairs.map((pair) => pair.on)).toFixed(0)} µs`,
    baseline: `not recorded ${median(pairs.map((pair) => pair.off)).toFixed(0)} µs; ${processes} pairs of processes, ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}×`,
    ratio,
    goal: 'at most 1.03 times',
    isMet: ratio <= 1.03,
  })
}
