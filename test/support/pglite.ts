import { PGlite } from '@electric-sql/pglite'
import { type PgClient, type PgPool, valueParsers } from '../../src/db/engines/postgres/connection.ts'
import { postgresEngine } from '../../src/db/engines/postgres/index.ts'
import { createSlots } from '../../src/db/engines/semaphore.ts'

/** PostgreSQL's own parser, planner and types in this process: the PostgreSQL engine over a pool of the one connection that PGlite is. */
export async function startPglite(): Promise<{
  engine(schema: string): ReturnType<typeof postgresEngine>
  stop(): Promise<void>
}> {
  const db = await PGlite.create({ parsers: { ...valueParsers } })
  const turns = createSlots(1)
  return {
    engine: (schema) =>
      postgresEngine(poolOf(db, schema, turns), 1, { schema, shown: 'pglite', scrub: (text) => text }),
    stop: () => db.close(),
  }
}

function poolOf(db: PGlite, schema: string, turns: ReturnType<typeof createSlots>): PgPool {
  return {
    connect: () =>
      new Promise((resolve, reject) => {
        // The turn lasts until the client is released.
        const held = turns.run(async () => {
          await db.exec(`set search_path = "${schema}"`)
          await new Promise<void>((release) => resolve(clientOf(db, release)))
        })
        held.catch(reject)
      }),
    // The database is shared by all schemas, and stopped by whoever started it.
    end: async () => {},
  }
}

function clientOf(db: PGlite, release: () => void): PgClient {
  return {
    async query({ text, values }) {
      // Without values it may be several statements.
      if (values === undefined) {
        await db.exec(text)
        return { command: '', rowCount: null, rows: [] }
      }
      const { rows, affectedRows } = await db.query(text, values)
      const command = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? ''
      return { command, rowCount: affectedRows ?? null, rows }
    },
    release,
  }
}
