import { once } from 'node:events'
import { startReaper } from '../support/databases/postgres.ts'

/** A PostgreSQL of this measurement's own, which makes every commit durable as one in service does. */
export async function aDatabase(): Promise<{ url: string; stop(): Promise<void> }> {
  process.env['TEST_POSTGRES_DURABLE'] = '1'
  const { child, url } = startReaper()
  return {
    url: await url,
    async stop() {
      const exit = once(child, 'exit')
      child.stdin?.end()
      await exit
    },
  }
}
