import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/**
 * Records every query that the tests of this worker prepare on SQLite. `RECORD_QUERIES=FOLDER` appends them to a file there, one
 * JSON text per line, from which `test/db/query-plans.test.ts` adds them to the golden file.
 */

const recorded = new Set<string>()
const folder = process.env['RECORD_QUERIES']

/** Returns a query with lists of any length as lists of two, and rows of any number as one. */
export function normalized(sql: string): string {
  return sql
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\bin \(\?(?:, \?)*\)/g, 'in (?, ?)')
    .replace(/\bvalues (\([^()]*\))(?:, \([^()]*\))+/g, 'values $1')
}

const isOfTables = (sql: string) => /^(select|insert|update|delete|with)\b/i.test(sql) && !/\bsqlite_/.test(sql)

if (folder !== undefined) {
  const prepare = Database.prototype.prepare
  Database.prototype.prepare = function (this: Database.Database, sql: string) {
    const text = normalized(sql)
    if (isOfTables(text) && !recorded.has(text)) {
      recorded.add(text)
      appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(text)}\n`)
    }
    return prepare.call(this, sql)
  } as typeof prepare
}
