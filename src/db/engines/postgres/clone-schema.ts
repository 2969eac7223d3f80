import type { PgClient } from './connection.ts'

/** Identifiers here are names of our own tables, or schemas of the form that `parsePostgresUrl` accepts. */
export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Runs a statement and returns its rows. */
export async function rowsOf<Row>(client: PgClient, text: string, values?: unknown[]): Promise<Row[]> {
  const { rows } = await client.query(values === undefined ? { text } : { text, values })
  // The statement's columns are those of the type.
  return rows as Row[]
}

/** Returns the names of a schema's tables. */
export async function tablesOf(client: PgClient, schema: string): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(
    client,
    'select tablename as name from pg_tables where schemaname = $1 order by tablename',
    [schema],
  )
  return rows.map(({ name }) => name)
}

/**
 * Copies all tables of a schema with their rows, constraints and indexes into a new one. Constraints and indexes come after the
 * rows, which is faster, and keep their names, because later migrations use them. Statistics are left to autovacuum: building an
 * index counts the rows. Within the client's transaction.
 */
export async function cloneSchema(client: PgClient, from: string, to: string): Promise<void> {
  const [source, target] = [quotedName(from), quotedName(to)]
  await client.query({ text: 'set local statement_timeout = 0' })
  // For sorting the indexes in memory: they are most of the work.
  await client.query({ text: `set local maintenance_work_mem = '256MB'` })
  await client.query({ text: `create schema ${target}` })
  const tables = await tablesOf(client, from)
  for (const name of tables) {
    const table = quotedName(name)
    await client.query({ text: `create table ${target}.${table} (like ${source}.${table} including defaults)` })
    await client.query({ text: `insert into ${target}.${table} select * from ${source}.${table}` })
  }
  const definitions = await definitionsOf(client, from)
  // Names in the definitions are without a schema: in this one they mean the copies.
  await client.query({ text: `set local search_path = ${target}` })
  for (const definition of definitions) await client.query({ text: definition })
}

/** Returns the statements that make the constraints and indexes of a schema, in the order in which they depend on each other. */
async function definitionsOf(client: PgClient, schema: string): Promise<string[]> {
  // Without its own schema in the path, a definition would name it.
  await client.query({ text: `set local search_path = ${quotedName(schema)}` })
  const constraints = await rowsOf<{ definition: string }>(
    client,
    `select format('alter table %I add constraint %I %s', t.relname, c.conname, pg_get_constraintdef(c.oid)) as definition
    from pg_constraint c join pg_class t on t.oid = c.conrelid
    where c.connamespace = $1::regnamespace and c.contype in ('p', 'u', 'c', 'f')
    order by array_position(array['p', 'u', 'c', 'f'], c.contype::text), t.relname, c.conname`,
    [quotedName(schema)],
  )
  const indexes = await rowsOf<{ definition: string }>(
    client,
    `select replace(pg_get_indexdef(i.indexrelid), format(' ON %I.', n.nspname), ' ON ') as definition
    from pg_index i
    join pg_class t on t.oid = i.indrelid
    join pg_namespace n on n.oid = t.relnamespace
    where n.nspname = $1 and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u'))
    order by t.relname, i.indexrelid`,
    [schema],
  )
  return [...constraints, ...indexes].map(({ definition }) => definition)
}
