import assert from 'node:assert/strict'
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

/** A table of a schema, and the statements that copy it. */
interface TableCopy {
  readonly name: string
  readonly statements: string
}

/** A table with its parts, as PostgreSQL describes it. */
interface TableDefinition {
  readonly name: string
  /** Actions of `alter table` that make its columns as they are: not null, defaults. Null if there are none. */
  readonly columns: string | null
  /** Null for a table without partitions. */
  readonly partitioning: string | null
  readonly partitions: readonly { readonly name: string; readonly bound: string }[] | null
}

/**
 * Returns the copies of all tables of a schema into another one, the largest first: each with its rows, constraints and indexes.
 * A table is created together with its rows, because PostgreSQL then writes in bulk: a third faster than inserting. Constraints
 * and indexes come after the rows, which is faster too, and keep their names, because later migrations use them.
 * Statistics are left to autovacuum: building an index counts the rows. Each copy can run on a connection of its own; names in
 * the definitions are without a schema, so the path must have the new one.
 */
export async function tableCopies(client: PgClient, from: string): Promise<TableCopy[]> {
  // Without its own schema in the path, a definition would name it.
  await client.query({ text: `set local search_path = ${quotedName(from)}` })
  const tables = await rowsOf<TableDefinition>(
    client,
    `select relname as name, pg_get_partkeydef(oid) as partitioning, (
      select string_agg(action, ', ' order by attnum) from pg_attribute a
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      cross join lateral (values
        (case when a.attnotnull then format('alter %I set not null', attname) end),
        (format('alter %I set default ', attname) || pg_get_expr(d.adbin, d.adrelid))
      ) as actions (action)
      where a.attrelid = t.oid and attnum > 0 and not attisdropped
    ) as columns, (
      -- The partition of all other values comes last: a later one would have to be compared with its rows.
      select json_agg(json_build_object('name', c.relname, 'bound', pg_get_expr(c.relpartbound, c.oid))
        order by pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT', c.relname)
      from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = t.oid
    ) as partitions
    from pg_class t where relnamespace = $1::regnamespace and relkind in ('r', 'p') and not relispartition
    order by coalesce((select sum(pg_relation_size(relid)) from pg_partition_tree(oid)), pg_relation_size(oid)) desc, relname`,
    [quotedName(from)],
  )
  const definitions = Map.groupBy(await definitionsOf(client, from), ({ name }) => name)
  return tables.map((table) => {
    const rest = (definitions.get(table.name) ?? []).map(({ definition }) => definition)
    return { name: table.name, statements: [...creation(table, from), ...rest].join(';\n') }
  })
}

/** Returns the statements that create a table with its rows. */
function creation({ name, columns, partitioning, partitions }: TableDefinition, from: string): string[] {
  const filled = (part: string) => [
    `create table ${quotedName(part)} as table ${quotedName(from)}.${quotedName(part)}`,
    ...(columns === null ? [] : [`alter table ${quotedName(part)} ${columns}`]),
  ]
  if (partitioning === null) return filled(name)
  const [table, source] = [quotedName(name), `${quotedName(from)}.${quotedName(name)}`]
  const attached = (partitions ?? []).flatMap(({ name: part, bound }) => [
    ...filled(part),
    `alter table ${table} attach partition ${quotedName(part)} ${bound}`,
  ])
  return [`create table ${table} (like ${source} including defaults) partition by ${partitioning}`, ...attached]
}

/** Prepares a transaction for copies into a schema. */
export async function beginCopies(client: PgClient, to: string): Promise<void> {
  // The memory is for sorting the indexes. A copy is only used after a later commit, which is durable with all before it.
  const settings = [
    'statement_timeout = 0',
    'synchronous_commit = off',
    `maintenance_work_mem = '128MB'`,
    `search_path = ${quotedName(to)}`,
  ]
  await client.query({ text: settings.map((setting) => `set local ${setting}`).join(';') })
}

/** Returns the statements that make the constraints and indexes of a schema's tables, in the order in which they are made. */
async function definitionsOf(client: PgClient, schema: string): Promise<{ name: string; definition: string }[]> {
  const constraints = await rowsOf<{ name: string; definition: string; kind: string }>(
    client,
    `select t.relname as name, c.contype as kind,
      format('alter table %I add constraint %I %s', t.relname, c.conname, pg_get_constraintdef(c.oid)) as definition
    from pg_constraint c join pg_class t on t.oid = c.conrelid
    where c.connamespace = $1::regnamespace and c.contype in ('p', 'u', 'c', 'f') and not t.relispartition
    order by array_position(array['p', 'u', 'c', 'f'], c.contype::text), t.relname, c.conname`,
    [quotedName(schema)],
  )
  // A foreign key could only be made when both tables are there.
  assert(!constraints.some(({ kind }) => kind === 'f'), 'a copied schema has no foreign keys')
  const indexes = await rowsOf<{ name: string; definition: string }>(
    client,
    // The definition for a table with partitions would leave them out.
    `select t.relname as name,
      replace(replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON '), format(' ON %I.', n.nspname), ' ON ') as definition
    from pg_index i
    join pg_class t on t.oid = i.indrelid
    join pg_namespace n on n.oid = t.relnamespace
    where n.nspname = $1 and not t.relispartition and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u'))
    order by t.relname, i.indexrelid`,
    [schema],
  )
  return [...constraints, ...indexes]
}
