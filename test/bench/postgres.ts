import { once } from 'node:events'
import { startKeeper } from '../support/databases/postgres.ts'

/** Starts a separate PostgreSQL with durable commits, as in production. */
export async function aDatabase(): Promise<{ url: string; stop(): Promise<void> }> {
  process.env['TEST_POSTGRES_DURABLE'] = '1'
  const { child, url } = startKeeper()
  return {
    url: await url,
    async stop() {
      const exit = once(child, 'exit')
      child.stdin?.end()
      await exit
    },
  }
}
