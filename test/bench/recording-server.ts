import { ExchangeLog } from '../../src/http/server/exchanges/exchange-log.ts'
import { keepYoungSpaceSmall } from '../../src/kit/heap-limits.ts'
import { credentialsOf, ensureDemoWorld } from '../../src/world/demo-data.ts'
import { openWorld } from '../../src/world/world.ts'

/**
 * Serves a world in memory for the bench. Sends its URL and keys to the parent. Each message says whether requests are recorded
 * and counted from now on; the reply is the processor time so far, in microseconds.
 */
// As `serve` does.
keepYoungSpaceSmall()
const begin = ExchangeLog.prototype.begin
const world = await openWorld({ db: ':memory:', rateLimits: false, records: { requests: true, hasDesk: false } })
await ensureDemoWorld(world)
const { url } = await world.server.listen({ port: 0 })
const { live } = (await credentialsOf(world.casino, 'DEMO')) ?? {}
process.on('message', (isRecording) => {
  // Without an exchange nothing is recorded, as in a world without a log.
  ExchangeLog.prototype.begin = isRecording ? begin : () => undefined as never
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.on('disconnect', () => process.exit())
process.send?.({ url, ...live })
