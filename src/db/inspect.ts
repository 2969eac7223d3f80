import { sql } from 'kysely'
import { isProblem } from '../kit/problem.ts'
import { databaseKind } from './engines/database-name.ts'
import type { Engine } from './engines/engine.ts'
import { openEngine } from './engines/open.ts'
import { appliedMigrations, type Migrations } from './migrate.ts'

/** Result of inspecting a database. Inspecting changes nothing, not even the schema. */
export interface Inspection {
  /** Migrations still to apply; they are applied when the database is next opened. */
  readonly pending: readonly string[]
  /** Applied migrations that this program does not know: those of a newer version. */
  readonly unknown: readonly string[]
  /** True if it is of the wanted kind; an empty database can still become it. */
  readonly isOurs: boolean
  /** Damage in the database's own words; empty when there is none. */
  readonly damage: readonly string[]
}

/** Maximum number of reported damages: further ones rarely add information. */
const maxDamage = 5

/** Inspects an existing database, a file or an address. Throws the errors of `openStore` when it cannot be opened. */
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
    const rows = await appliedMigrations({ q })
    const takenNames = rows.map(({ name }) => name)
    return {
      pending: names.filter((name) => !takenNames.includes(name)),
      unknown: takenNames.filter((name) => !names.includes(name)),
      isOurs: rows.every((row) => row.of === of),
    }
  })
}

/** A PostgreSQL server checks its own pages; an SQLite file is checked here. */
async function damageIn(engine: Engine, url: string): Promise<string[]> {
  if (databaseKind(url) === 'postgres') return []
  try {
    const { rows } = await engine.read((q) => sql<{ quick_check: string }>`pragma quick_check(5)`.execute(q))
    return rows
      .map((row) => row.quick_check)
      .filter((line) => line !== 'ok')
      .slice(0, maxDamage)
  } catch (error) {
    if (isProblem(error, 'STORE_UNAVAILABLE')) return [error.message]
    throw error
  }
}
