// Writes down the schema that the migrations lead to on SQLite, so that a new database need not run them one by one.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Database from 'better-sqlite3'

/** Returns the script of each kind of database: its migrations' names, and the statements for all that they create. */
export async function schemaScripts(root) {
  const load = (path) => import(pathToFileURL(join(root, 'src/db', path)).href)
  const [{ openSqliteMemory }, { migrate }, { world }, { book }] = await Promise.all(
    ['engines/sqlite/index.ts', 'migrate.ts', 'migrations/world/index.ts', 'migrations/book/index.ts'].map(load),
  )
  const scripts = []
  for (const migrations of [world, book]) {
    const engine = await openSqliteMemory()
    await migrate(engine, migrations)
    const db = new Database(engine.image())
    await engine.close()
    const names = migrations.steps.map(({ name }) => name)
    scripts.push([migrations.of, { migrations: names, statements: [...schemaOf(db), ...rowsOf(db)] }])
    db.close()
  }
  return scripts
}

/** Returns the statements that create tables, indexes, views and triggers. An index of a constraint has none. */
function schemaOf(db) {
  return db.prepare('select sql from sqlite_schema where sql is not null order by rowid').pluck().all()
}

/** Returns the rows that migrations insert, as statements. */
function rowsOf(db) {
  return db
    .prepare("select name from sqlite_schema where type = 'table' order by rowid")
    .pluck()
    .all()
    .flatMap((table) => {
      const columns = db.pragma(`table_info("${table}")`).map(({ name }) => name)
      const values = columns.map((column) => `quote("${column}")`).join(" || ', ' || ")
      const rows = db.prepare(`select ${values} from "${table}"`).pluck().all()
      const into = `insert into "${table}" (${columns.map((column) => `"${column}"`).join(', ')})`
      return rows.map((row) => `${into} values (${row})`)
    })
}
