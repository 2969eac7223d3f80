import { credentialsOf, ensureDemoWorld } from '../../src/world/demo-data.ts'
import { openWorld } from '../../src/world/world.ts'

/**
 * Serves a world in memory that records its requests, or none, for the bench. Sends its URL and keys to the parent, then its
 * processor time in microseconds for each message.
 */
const isRecording = process.argv[2] === 'recording'
const records = isRecording ? { records: { requests: true, hasDesk: false } } : {}
const world = await openWorld({ db: ':memory:', rateLimits: false, ...records })
await ensureDemoWorld(world)
const { url } = await world.server.listen({ port: 0 })
const { live } = (await credentialsOf(world.casino, 'DEMO')) ?? {}
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.on('disconnect', () => process.exit())
process.send?.({ url, ...live })
