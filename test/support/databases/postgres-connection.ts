import pg from 'pg'
import { type Server, serverOver } from './one-connection.ts'

/** A connection to a PostgreSQL server that stays open until the worker exits. */
export async function connectPostgres(url: string): Promise<Server> {
  const client = new pg.Client(url)
  // The server is stopped at the end of the run, possibly before the worker.
  client.on('error', () => {})
  await client.connect()
  return serverOver(
    {
      async run(sql) {
        const results = [await client.query(sql)].flat()
        return results.findLast(({ fields }) => fields.length > 0)?.rows ?? []
      },
      query: (query) => client.query(query),
    },
    'postgres',
  )
}
