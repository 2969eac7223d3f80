import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { book } from '../../src/db/migrations/book/index.ts'
import { world } from '../../src/db/migrations/world/index.ts'
import { postgres } from '../support/databases/engines.ts'
import { golden, type Kind, type Plans, scansIn, scansOnPostgres, sqlitePlans } from './plans.ts'
import { isOfMigration, isOfTest, postgresReasons, reasons, smallTables, unexplained } from './scans.ts'

/**
 * The plans of the queries of jobs and services, recorded while the tests run. To renew them:
 * `RECORD_QUERIES=FOLDER npx vitest run`, then `UPDATE_PLANS=FOLDER npx vitest run test/db/query-plans.test.ts`.
 * The diff of the golden file shows the effect of a change on the plans. A query that is not in it is checked at the
 * end of its test file (`test/support/databases/recorded-queries.ts`).
 */
const kinds: readonly Kind[] = ['book', 'world']

interface Planned {
  readonly kind: Kind
  readonly query: string
  readonly plan: readonly string[]
}

let plans: Plans
/** Content of the golden file. */
let stored: readonly Planned[]

beforeAll(async () => {
  plans = await sqlitePlans()
  const folder = process.env['UPDATE_PLANS']
  if (folder !== undefined) writeFileSync(golden, textOf(plannedNow(recordedIn(folder))))
  stored = plannedIn(readFileSync(golden, 'utf8'))
})

afterAll(() => plans.close())

function recordedIn(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'))
  const lines = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'))
  const known = existsSync(golden) ? plannedIn(readFileSync(golden, 'utf8')).map(({ query }) => query) : []
  const queries = new Set([...known, ...lines.map((line): string => JSON.parse(line))])
  return [...queries].filter((query) => !isOfTest(query) && !isOfMigration(query)).sort()
}

function plannedNow(queries: readonly string[]): Planned[] {
  return kinds.flatMap((kind) =>
    queries.flatMap((query) => {
      const plan = plans.planOf(kind, query)
      return plan === undefined ? [] : [{ kind, query, plan }]
    }),
  )
}

const textOf = (planned: readonly Planned[]) =>
  planned
    .map(({ kind, query, plan }) => [`${kind}: ${query}`, ...plan.map((line) => `    ${line}`), ''].join('\n'))
    .join('\n')

function plannedIn(text: string): Planned[] {
  return text.split('\n\n').map((part) => {
    const [head = '', ...lines] = part.trimEnd().split('\n')
    const [, kind = '', query = ''] = /^(book|world): (.*)$/.exec(head) ?? []
    return { kind: kind as Kind, query, plan: lines.map((line) => line.slice(4)) }
  })
}

test('the golden file has the queries of jobs and services', () => {
  expect(stored.length).toBeGreaterThan(400)
  const tables = new Set(
    stored.flatMap(({ query }) => [...query.matchAll(/"((?:book|casino|gateway|chat)_\w+)"/g)].map(([, name]) => name)),
  )
  for (const table of ['book_revisions', 'book_transfers', 'casino_slips', 'gateway_payments', 'chat_tickets'])
    expect(tables).toContain(table)
})

test('every query has the plan of the golden file', () => {
  const queries = [...new Set(stored.map(({ query }) => query))].sort()
  expect(textOf(plannedNow(queries)).split('\n')).toEqual(readFileSync(golden, 'utf8').split('\n'))
})

test('a growing table is read by an index, or the reason is recorded', () => {
  expect(stored.flatMap(({ query, plan }) => unexplained(query, scansIn(query, plan)))).toEqual([])
})

test('each reason is of an existing query', () => {
  const scanned = stored.flatMap(({ query, plan }) => scansIn(query, plan).map(() => query))
  expect(
    reasons.filter((each) => !scanned.some((query) => query.startsWith(each.query))).map(({ query }) => query),
  ).toEqual([])
})

describe('a scan is found', () => {
  const scans = (query: string) => scansIn(query, plans.planOf('book', query) ?? []).map(({ table }) => table)

  test.each([
    ['select * from "book_revisions" where "record" = ?', ['book_revisions']],
    ['select count(*) from "book_transfers" as "t" where "amount" = ?', ['book_transfers']],
    ['select "place" from "book_revisions" where "settled_at" > ?', ['book_revisions']],
    ['select "name_key" from "book_revisions" group by "name_key"', ['book_revisions']],
    ['select * from "book_revisions" where "rev" = ? order by "place" limit ?', ['book_revisions']],
    ['select * from "book_revisions" order by "record" limit ?', ['book_revisions']],
    ['select * from "book_revisions" order by "place" desc limit ?', []],
    ['select * from "book_revisions" where "place" > ? order by "place" limit ?', []],
    ['select * from "book_revisions" where "place" > ? and "place" <= ? order by "place"', []],
    ['select * from "book_revisions" where "slip_id" = ?', []],
  ])('%s', (query, tables) => {
    expect(scans(query)).toEqual(tables)
  })

  test.each([
    ['delete from "casino_bet_records" where "tenant" = ? and ("month" < ? or "rec_seq" <= ?)', ['casino_bet_records']],
    ['delete from "casino_bet_records" where "tenant" = ? and "month" = ? and "rec_seq" <= ?', []],
    ['select * from "casino_bet_records" where "tenant" = ? order by "month", "rec_seq" limit ?', []],
  ])('for a tenant: %s', (query, tables) => {
    expect(scansIn(query, plans.planOf('world', query) ?? []).map(({ table }) => table)).toEqual(tables)
  })

  test('in no growing table that is listed as small', () => {
    const db = kinds.flatMap((kind) =>
      Object.keys(smallTables).filter((table) => plans.planOf(kind, `select 1 from ${table}`)),
    )
    expect(new Set(db)).toEqual(new Set(Object.keys(smallTables)))
  })
})

/**
 * PostgreSQL chooses by costs and would scan an empty table. With sequential scans disabled, it does so only if no
 * index can be used: the rows do not matter. A whole index that it reads instead is a scan too.
 */
test('PostgreSQL has an index for each query, too', async () => {
  const found: string[] = []
  for (const [kind, migrations] of [
    ['book', book],
    ['world', world],
  ] as const) {
    const engine = await (await postgres.database()).engine()
    await migrate(engine, migrations)
    const queries = stored.filter((each) => each.kind === kind)
    for (const { query, plan } of queries) {
      // The same scan has a reason for SQLite.
      if (scansIn(query, plan).length > 0) continue
      let place = 0
      const text = query.replace(/\?/g, () => `$${++place}`)
      const rows = await engine
        .read(async (q) => {
          await sql`set local enable_seqscan = off`.execute(q)
          return (
            await sql<{ 'QUERY PLAN': string }>`${sql.raw(`explain (generic_plan, costs off) ${text}`)}`.execute(q)
          ).rows
        })
        .catch((error) => {
          throw new Error(`PostgreSQL cannot explain ${text}: ${error}`)
        })
      found.push(
        ...unexplained(
          query,
          scansOnPostgres(
            query,
            rows.map((row) => row['QUERY PLAN']),
          ),
          postgresReasons,
        ),
      )
    }
  }
  expect(found).toEqual([])
})
