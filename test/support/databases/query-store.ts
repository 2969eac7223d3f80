import { world } from '../../../src/db/migrations/world/index.ts'
import type { Reader, Tx } from '../../../src/db/store.ts'
import { type EngineUnderTest, named, postgres } from './engines.ts'

/** The engines of the query suites: one for each kind of SQL. */
export const queryEngines: readonly EngineUnderTest[] = [named('SQLite in memory'), postgres]

/** Opens an empty world with a fixed clock, whose rows a test writes directly. It is closed with the test. */
export async function queryStore(engine: EngineUnderTest, now: number) {
  const store = await (await engine.database()).open({ migrations: world, now: () => now })
  return {
    store,
    read: <T>(of: (reader: Reader) => Promise<T>) => store.read(of),
    write: <T>(of: (tx: Tx) => Promise<T>) => store.write(of),
  }
}
