import type { Engine } from '../../../src/db/engines/engine.ts'
import type { PgClient } from '../../../src/db/engines/postgres/connection.ts'
import { postgresEngine } from '../../../src/db/engines/postgres/index.ts'
import { createSemaphore } from '../../../src/db/engines/semaphore.ts'

/** A PostgreSQL server, reached over one connection. */
export interface Server {
  /** Runs statements one after another. Returns the rows of the last one that has any. */
  run(sql: string): Promise<readonly Record<string, unknown>[]>
  /** Returns an engine in one of its schemas. Closing the engine leaves the connection open. */
  engine(schema: string): Engine
}

export interface OneConnection {
  /** Runs several statements. */
  run: Server['run']
  query: PgClient['query']
}

/** A PostgreSQL server on one connection, whose schemas use the connection in turn. */
export function serverOver({ run, query }: OneConnection, shown: string): Server {
  const turns = createSemaphore(1)
  const connectTo = (schema: string) =>
    new Promise<PgClient>((resolve, reject) => {
      // The connection is reserved until the client is released.
      const held = turns.run(async () => {
        await run(`set search_path = "${schema}"`)
        await new Promise<void>((done) => resolve({ query, release: () => done() }))
      })
      held.catch(reject)
    })
  return {
    run: (sql) => turns.run(() => run(sql)),
    engine: (schema) =>
      // All schemas share the connection, and its opener closes it.
      postgresEngine({ connect: () => connectTo(schema), end: async () => {} }, 1, {
        schema,
        shown,
        scrub: (text) => text,
      }),
  }
}
