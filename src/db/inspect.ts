import { sql } from 'kysely'
import { isProblem } from '../kit/problem.ts'
import { databaseKind } from './engines/database-name.ts'
import type { Engine } from './engines/engine.ts'
import { openEngine } from './engines/open.ts'
import { appliedMigrations, type Migrations } from './migrate.ts'

/** What a look at a database found. Nothing was changed by it: no schema was brought up to date. */
export interface Inspection {
  /** The steps its schema has still to take; it takes them when it is next opened to be used. */
  readonly pending: readonly string[]
  /** Steps it has taken that this program does not know: a newer one's. */
  readonly unknown: readonly string[]
  /** Whether it is of the kind that is wanted; an empty one still can become it. */
  readonly isOurs: boolean
  /** What is damaged, in the database's own words; empty when it is sound. */
  readonly damage: readonly string[]
}

/** The most findings of damage that are told: beyond a few they say the same. */
const mostDamage = 5

/** Looks at a database that is there, a file or an address. Refuses as `openStore` does when it cannot be opened at all. */
export async function inspectDatabase(url: string, migrations: Migrations): Promise<Inspection> {
  const engine = await openEngine(url, 1)
  try {
    const damage = await damageIn(engine, url)
    if (damage.length > 0) return { pending: [], unknown: [], isOurs: true, damage }
    return { ...(await stepsOf(engine, migrations)), damage }
  } finally {
    await engine.close()
  }
}

async function stepsOf(engine: Engine, { of, steps }: Migrations): Promise<Omit<Inspection, 'damage'>> {
  return engine.read(async (q) => {
    const tables = await engine.tables(q)
    const names = steps.map(({ name }) => name)
    if (!tables.includes('store_migrations')) return { pending: names, unknown: [], isOurs: tables.length === 0 }
    const taken = await appliedMigrations({ q })
    const takenNames = taken.map(({ name }) => name)
    return {
      pending: names.filter((name) => !takenNames.includes(name)),
      unknown: takenNames.filter((name) => !names.includes(name)),
      isOurs: taken.every((row) => row.of === of),
    }
  })
}

/** A PostgreSQL server checks its own pages; a file of SQLite is looked through here. */
async function damageIn(engine: Engine, url: string): Promise<string[]> {
  if (databaseKind(url) === 'postgres') return []
  try {
    const { rows } = await engine.read((q) => sql<{ quick_check: string }>`pragma quick_check(5)`.execute(q))
    return rows
      .map((row) => row.quick_check)
      .filter((line) => line !== 'ok')
      .slice(0, mostDamage)
  } catch (error) {
    if (isProblem(error, 'STORE_UNAVAILABLE')) return [error.message]
    throw error
  }
}
