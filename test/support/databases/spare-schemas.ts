import { type Migrations, migrate } from '../../../src/db/migrate.ts'
import type { Server } from './one-connection.ts'

/** Schemas with all tables of some migrations and the rows of a new database. */
export interface SpareSchemas {
  /** Fills a new schema with the tables and rows of a spare one. Building them takes a hundred times as long. */
  take(schema: string, migrations: Migrations): Promise<void>
  /** Empties a schema for reuse, or drops it if its structure was changed. */
  giveBack(schema: string): Promise<void>
}

/** Contents of a new schema. */
interface Original {
  readonly shape: unknown
  /** Inserts the first rows into their tables. */
  readonly fill: (schema: string) => string
}

export function spareSchemas({ run, engine }: Server): SpareSchemas {
  const spares = new Map<Migrations, string[]>()
  const originals = new Map<Migrations, Original>()
  const taken = new Map<string, Migrations>()
  return {
    async take(schema, migrations) {
      // Another process may have created the schema before this one.
      const [existing] = await run(`select 1 as one from pg_namespace where nspname = '${schema}'`)
      if (existing) return
      const spare = spares.get(migrations)?.pop()
      taken.set(schema, migrations)
      if (spare === undefined) {
        await migrate(engine(schema), migrations)
        if (!originals.has(migrations)) originals.set(migrations, await originalOf(run, schema))
        return
      }
      await run(`alter schema ${spare} rename to ${schema}`)
      await engine(schema).write(async (q) => migrations.renew?.(q))
    },
    async giveBack(schema) {
      const migrations = taken.get(schema)
      const original = migrations && originals.get(migrations)
      taken.delete(schema)
      if (!migrations || !original || (await shapeOf(run, schema)) !== original.shape)
        return void (await run(`drop schema if exists ${schema} cascade`))
      await run(`begin; ${emptied(schema)}; ${original.fill(schema)} commit`)
      spares.set(migrations, [...(spares.get(migrations) ?? []), schema])
    },
  }
}

/** Returns the tables, columns and indexes of a schema as one text. */
async function shapeOf(run: Server['run'], schema: string): Promise<unknown> {
  const [row] = await run(`
    select md5(string_agg(concat_ws(' ', c.relname, c.relkind, c.relnatts), ',' order by c.relname)) as shape
    from pg_class c where c.relnamespace = to_regnamespace('${schema}')`)
  return row?.['shape']
}

async function originalOf(run: Server['run'], schema: string): Promise<Original> {
  const filled: { table: string; rows: string }[] = []
  for (const { table } of await run(`select relname as table from pg_class ${withRows(schema)}`)) {
    const [row] = await run(`select json_agg(t)::text as rows from ${schema}.${table} t`)
    if (row?.['rows']) filled.push({ table: String(table), rows: String(row['rows']) })
  }
  return {
    shape: await shapeOf(run, schema),
    fill: (other) =>
      filled
        .map(({ table, rows }) => {
          const at = `${other}.${table}`
          return `insert into ${at} select * from json_populate_recordset(null::${at}, $rows$${rows}$rows$);`
        })
        .join(' '),
  }
}

/** Deletes all rows after running writes have ended. */
function emptied(schema: string): string {
  return `do $$
    declare t record;
    begin
      execute (select 'lock table ' || string_agg('${schema}.' || relname, ',') from pg_class
               where relnamespace = '${schema}'::regnamespace and relkind = 'r');
      -- Tables that refer to others come before those.
      for t in select relname from pg_class ${withRows(schema)}
               order by exists (select 1 from pg_constraint where contype = 'f' and confrelid = pg_class.oid) loop
        execute 'delete from ${schema}.' || t.relname;
      end loop;
    end $$`
}

/** Tables that ever had a row. */
function withRows(schema: string): string {
  return `where relnamespace = '${schema}'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`
}
