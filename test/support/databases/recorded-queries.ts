import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { golden, type Plans, scansIn, sqlitePlans } from '../../db/plans.ts'
import { isOfMigration, isOfTest, unexplained, wholeBook } from '../../db/scans.ts'

/**
 * Records every query that the tests of this worker prepare on SQLite, and checks the program's queries that are not in
 * the golden file.
 * `RECORD_QUERIES=FOLDER` appends all of them to a file there, one JSON text per line. `test/db/query-plans.test.ts`
 * adds them to the golden file.
 */

const folder = process.env['RECORD_QUERIES']
const seen = new Set<string>()
const recorded = new Set<string>()
/** Queries recorded since the last check. */
let unchecked: string[] = []

/** Returns a query with each list as a list of two, any number of rows as one, and parameters without the sign that SQLite gets. */
export function normalized(sql: string): string {
  return sql
    .replace(/\s+/g, ' ')
    .trim()
    .replaceAll('+?', '?')
    .replace(/\bin \(\?(?:, \?)*\)/g, 'in (?, ?)')
    .replace(/\bvalues (\([^()]*\))(?:, \([^()]*\))+/g, 'values $1')
}

const isOfTables = (sql: string) => /^(select|insert|update|delete|with)\b/i.test(sql) && !/\bsqlite_/.test(sql)

const prepare = Database.prototype.prepare
Database.prototype.prepare = function (this: Database.Database, sql: string) {
  if (!seen.has(sql)) record(sql)
  return prepare.call(this, sql)
} as typeof prepare

function record(sql: string): void {
  seen.add(sql)
  const query = normalized(sql)
  if (!isOfTables(query) || recorded.has(query)) return
  recorded.add(query)
  if (!knownQueries().has(query) && isOfProgram()) unchecked.push(query)
  if (folder !== undefined) appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(query)}\n`)
}

const wholeBookSources = Object.keys(wholeBook)

/** Returns whether a job or a service runs the current query, not a test itself or a source that reads whole books. */
function isOfProgram(): boolean {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 100
  const { stack = '' } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  const isOfSource = /\/src\/(?:services|operator|outbox|world|cli)\//.test(stack)
  return isOfSource && !wholeBookSources.some((source) => stack.includes(source))
}

let known: Set<string> | undefined
let plans: Plans | undefined

/** Queries whose plan is in the golden file. */
function knownQueries(): ReadonlySet<string> {
  known ??= new Set(readFileSync(golden, 'utf8').match(/(?<=^(?:book|world): ).*$/gm))
  return known
}

/** Throws for a query that scans a growing table without a reason in `test/db/scans.ts`. */
export async function expectNoScans(): Promise<void> {
  const queries = unchecked
  unchecked = []
  const others = queries.filter((query) => !isOfTest(query) && !isOfMigration(query))
  if (others.length === 0) return
  plans ??= await sqlitePlans()
  const { planOf } = plans
  const found = others.flatMap((query) =>
    (['book', 'world'] as const).flatMap((kind) => {
      const plan = planOf(kind, query)
      return plan === undefined ? [] : unexplained(query, scansIn(query, plan))
    }),
  )
  if (found.length === 0) return
  const what = 'Queries that read all of a table that grows. Add an index, or write the reason into test/db/scans.ts'
  throw new Error(`${what}:\n${[...new Set(found)].join('\n')}`)
}
