import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openSqliteMemory } from '../../src/db/engines/sqlite/index.ts'
import { type Migrations, migrate } from '../../src/db/migrate.ts'
import { book } from '../../src/db/migrations/book/index.ts'
import { world } from '../../src/db/migrations/world/index.ts'

/**
 * Plans of queries on empty databases. The program never runs ANALYZE on SQLite, so a plan there does not depend on the
 * rows.
 */

/** The file with the queries of jobs and services and their plans on SQLite. */
export const golden = join(import.meta.dirname, 'query-plans.txt')

export type Kind = 'book' | 'world'

export interface Plans {
  /** Returns the lines of a plan, each indented by its depth; undefined for a query of other tables. */
  planOf(kind: Kind, query: string): string[] | undefined
  close(): void
}

export async function sqlitePlans(): Promise<Plans> {
  const databases = { book: await emptyDatabase(book), world: await emptyDatabase(world) }
  return {
    planOf(kind, query) {
      const db = databases[kind]
      try {
        const explain = db.prepare<unknown[], { id: number; parent: number; detail: string }>(
          // As the program sends it: the planner knows only the values of patterns.
          `explain query plan ${query.replace(/(?<! like )\?/g, '+?')}`,
        )
        const rows = explain.all(...valuesFor(query))
        const depths = new Map<number, number>([[0, -1]])
        return rows.map(({ id, parent, detail }) => {
          const depth = (depths.get(parent) ?? -1) + 1
          depths.set(id, depth)
          return '  '.repeat(depth) + detail
        })
      } catch (error) {
        if (error instanceof Error && /no such (table|column)|has no column/.test(error.message)) return undefined
        throw error
      }
    },
    close() {
      for (const db of Object.values(databases)) db.close()
    },
  }
}

async function emptyDatabase(migrations: Migrations): Promise<Database.Database> {
  const engine = await openSqliteMemory()
  await migrate(engine, migrations)
  const image = engine.image?.()
  await engine.close()
  return new Database(image)
}

const valuesFor = (query: string) => Array.from(query.matchAll(/\?/g), () => 1)

/** A table that a query reads without an index, from a position in an index to its end, or for all of a tenant. */
export interface Scan {
  readonly table: string
  readonly line: string
}

/** Tables of which one tenant may have nearly all rows. */
const growsWithSlips: ReadonlySet<string> = new Set([
  'casino_bet_minutes',
  'casino_bet_records',
  'casino_slips',
  'casino_summary_players',
  'casino_transfers',
])

/** Returns the scans of a plan. The first rows in the order of an index are not one. */
export function scansIn(query: string, plan: readonly string[]): Scan[] {
  const names = new Map<string, string>()
  for (const [, table = '', alias = table] of query.matchAll(/"?(\w+)"? as "?(\w+)"?/g)) names.set(alias, table)
  const isFirstRows = / limit \S+(?: offset \S+)?\)?$/.test(query) && !plan.some((line) => /TEMP B-TREE/.test(line))
  return plan.flatMap((indented): Scan[] => {
    const line = indented.trim()
    const [, name = ''] = /^(?:SCAN|SEARCH) (\w+)/.exec(line) ?? []
    const table = names.get(name) ?? name
    if (!/^(book|store|outbox|casino|gateway|chat|world)_/.test(table)) return []
    const isOpenRange = /^SEARCH .*\((?:\w+ AND )?\w+[<>]\?\)/.test(line) && !/=\?/.test(line)
    const isWholeTenant = growsWithSlips.has(table) && /\(tenant=\?\)$/.test(line)
    const isScan = line.startsWith('SCAN ') || isOpenRange || isWholeTenant
    if (!isScan) return []
    if (isFirstRows && (isOpenRange || isWholeTenant || !/ where /.test(query))) return []
    return [{ table, line }]
  })
}

/** Returns the scans of a PostgreSQL plan that was made without sequential scans. */
export function scansOnPostgres(query: string, plan: readonly string[]): Scan[] {
  const isFirstRows = / limit \S+(?: offset \S+)?\)?$/.test(query) && !plan.some((line) => /\bSort\b/.test(line))
  return plan.flatMap((indented, i): Scan[] => {
    const line = indented.replace(/^[ >-]*/, '')
    const [, kind = '', table = ''] = /^(Seq|(?:Parallel )?Index(?: Only)?) Scan.* on (\w+)/.exec(line) ?? []
    if (!/^(book|store|outbox|casino|gateway|chat|world)_/.test(table)) return []
    const hasCondition = plan[i + 1]?.trim().startsWith('Index Cond:') ?? false
    if (kind !== 'Seq' && (hasCondition || isFirstRows)) return []
    return [{ table, line }]
  })
}
