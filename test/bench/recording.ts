import { overHttp } from '../../src/http/client/transport.ts'
import { credentialsOf, ensureDemoWorld } from '../../src/world/demo-data.ts'
import { casinoOn } from '../../src/world/library/connect.ts'
import { openWorld } from '../../src/world/world.ts'
import { median } from '../support/program/processes.ts'

/**
 * Compares a world that records and counts its requests with one that does neither: the same deposits over HTTP, in interleaved
 * rounds. Client and server share this process, so the figure is the processor time of both.
 * Run with: node test/bench/recording.ts [rounds] [deposits]
 */
const [rounds = 11, count = 1_500] = process.argv.slice(2).map(Number)

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
  const deposits = async () => {
    const before = process.cpuUsage()
    const next = async () => {
      for (let i = 0; i < count / 10; i++)
        await client.deposit({ body: { username: 'amy', txnId: `t${txn++}`, amount: '0.0001', currency: 'USD' } })
    }
    await Promise.all(Array.from({ length: 10 }, next))
    const { user, system } = process.cpuUsage(before)
    return (user + system) / count
  }
  return { deposits, close: () => Promise.all([world.close(), http.close()]) }
}

const [recording, bare] = [await aWorld(true), await aWorld(false)]
await recording.deposits()
await bare.deposits()
const ratios: number[] = []
const figures: { with: number; without: number }[] = []
for (let round = 0; round < rounds; round++) {
  // Each goes first in every other round.
  const order = round % 2 === 0 ? [recording, bare] : [bare, recording]
  const first = (await order[0]?.deposits()) ?? Number.NaN
  const second = (await order[1]?.deposits()) ?? Number.NaN
  const figure = round % 2 === 0 ? { with: first, without: second } : { with: second, without: first }
  figures.push(figure)
  ratios.push(figure.with / figure.without)
}
const round3 = (value: number) => Math.round(value * 1000) / 1000
process.stdout.write(
  `${JSON.stringify({
    microsecondsPerDeposit: {
      recording: Math.round(median(figures.map((each) => each.with))),
      bare: Math.round(median(figures.map((each) => each.without))),
    },
    ratio: {
      median: round3(median(ratios)),
      lowest: round3(Math.min(...ratios)),
      highest: round3(Math.max(...ratios)),
    },
  })}\n`,
)
await Promise.all([recording.close(), bare.close()])
