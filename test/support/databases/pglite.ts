import { openAsBlob } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { valueParsers } from '../../../src/db/engines/postgres/connection.ts'
import { type Server, serverOver } from './one-connection.ts'

/** PostgreSQL's own parser, planner and types in this process, over a copy of the cluster in a file. */
export async function startPglite(cluster: string): Promise<Server> {
  const db = await PGlite.create({ parsers: { ...valueParsers }, loadDataDir: await openAsBlob(cluster) })
  const run: Server['run'] = async (sql) => (await db.exec(sql)).findLast(({ fields }) => fields.length > 0)?.rows ?? []
  return serverOver(
    {
      run,
      async query({ text, values }) {
        // Without values the text may contain several statements.
        if (values === undefined) {
          await run(text)
          return { command: '', rowCount: null, rows: [] }
        }
        const { rows, affectedRows } = await db.query(text, values)
        const command = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? ''
        return { command, rowCount: affectedRows ?? null, rows }
      },
    },
    'pglite',
  )
}
