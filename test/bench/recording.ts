import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { overHttp } from '../../src/http/client/transport.ts'
import { casinoOn } from '../../src/world/library/connect.ts'
import { median } from '../support/program/processes.ts'
import { figure, isQuick } from './bench.ts'

const deposits = isQuick ? 300 : 1_000
const rounds = isQuick ? 3 : 31

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

/**
 * Compares a process whose world records and counts its requests without readers, with one that does neither: the same deposits
 * over HTTP, in interleaved rounds. The figures are the processor time of the serving process, user and system.
 */
export async function recording(): Promise<void> {
  const [on, off] = [await aServer('recording'), await aServer('plain')]
  await on.deposit(filling)
  await off.deposit(filling)
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
    goal: 'at most 1.03 times',
    isMet: ratio <= 1.03,
  })
}
