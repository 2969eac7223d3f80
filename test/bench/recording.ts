import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { overHttp } from '../../src/http/client/transport.ts'
import { casinoOn } from '../../src/world/library/connect.ts'
import { median } from '../support/program/processes.ts'
import { figure, isQuick } from './bench.ts'

/** Deposits of a block: few enough that both blocks of a pair run under the same load. */
const deposits = 100
const pairs = isQuick ? 20 : 400

/** Deposits before the first block: 10,000 are kept, and each after that replaces one. */
const filling = 11_000

async function aServer() {
  const server = fork(fileURLToPath(new URL('recording-server.ts', import.meta.url)))
  const [{ url, apiKey, secret }] = await once(server, 'message')
  const http = overHttp(url)
  const client = casinoOn(http, { apiKey, secret })
  let txn = 0
  const cpu = async (isRecording: boolean): Promise<number> => {
    server.send(isRecording)
    return (await once(server, 'message'))[0]
  }
  return {
    /** Returns the server's processor time of a deposit, in microseconds. */
    async deposit(isRecording: boolean, count = deposits) {
      const before = await cpu(isRecording)
      const next = async () => {
        for (let i = 0; i < count / 10; i++)
          await client.deposit({ body: { username: 'amy', txnId: `t${txn++}`, amount: '0.0001', currency: 'USD' } })
      }
      await Promise.all(Array.from({ length: 10 }, next))
      return ((await cpu(isRecording)) - before) / count
    },
    async close() {
      await http.close()
      const exit = once(server, 'exit')
      server.disconnect()
      await exit
    },
  }
}

/**
 * Compares deposits that are recorded and counted without readers with deposits that are not, over HTTP, in one serving process
 * that switches after each block: two processes of one kind differ by more than the recording costs. The figures are the
 * processor time of the serving process, user and system.
 */
export async function recording(): Promise<void> {
  const server = await aServer()
  for (const isRecording of [true, false]) await server.deposit(isRecording, filling)
  const [on, off]: [number[], number[]] = [[], []]
  for (let pair = 0; pair < pairs; pair++)
    for (const isRecording of pair % 2 === 0 ? [true, false] : [false, true])
      (isRecording ? on : off).push(await server.deposit(isRecording))
  await server.close()
  const costs = on.map((time, pair) => time - (off[pair] ?? 0)).sort((a, b) => a - b)
  // The ends are blocks that another process or a collection disturbed.
  const within = costs.slice(Math.floor(pairs * 0.1), Math.ceil(pairs * 0.9))
  const cost = within.reduce((sum, each) => sum + each, 0) / within.length
  const base = median(off)
  const quarter = (at: number) => (costs[Math.floor((costs.length * at) / 4)] ?? 0).toFixed(0)
  figure({
    what: 'a deposit while requests are recorded, processor time',
    measured: `${(base + cost).toFixed(0)} µs`,
    baseline: `not recorded ${base.toFixed(0)} µs; ${pairs} pairs of blocks, half of them ${quarter(1)} to ${quarter(3)} µs`,
    ratio: (base + cost) / base,
    goal: 'at most 1.03 times',
    isMet: (base + cost) / base <= 1.03,
  })
}
