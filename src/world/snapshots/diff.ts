import { type Kysely, sql } from 'kysely'
import type { ComparedSchemas, SnapshotStorage } from '../../db/engines/snapshot-storage.ts'
import type { TableShape } from '../../db/engines/table-shape.ts'
import type { Tables } from '../../db/schema/index.ts'
import { Problem } from '../../kit/problem.ts'
import { type BalanceChange, netBalances } from './balances.ts'
import { entities, isSecret } from './entities.ts'

type Value = string | number | null

/** A changed row, with the fields that differ. */
export interface EntityChange {
  readonly entity: string
  readonly id: string
  readonly change: 'added' | 'changed' | 'removed'
  readonly fields: Readonly<Record<string, { readonly before: Value; readonly after: Value }>>
}

export interface SnapshotDiff {
  readonly changes: readonly EntityChange[]
  readonly balances: readonly BalanceChange[]
}

/** Shown in place of a secret. */
const masked = '***'

/** A row of the comparison: its columns with the prefix of the side. */
type ComparedRow = Readonly<Record<string, Value>>

/** Compares two copies of a world, by entity. Throws CONFLICT when their schemas are not of the same version. */
export async function compareCopies(storage: SnapshotStorage, from: string, to: string): Promise<SnapshotDiff> {
  return storage.compare(from, to, async (q, schemas) => {
    await refuseOtherVersions(q, schemas)
    const changes: EntityChange[] = []
    for (const table of Object.keys(entities))
      changes.push(...(await changesOf(q, schemas, await schemas.shapeOf(table))))
    return { changes, balances: await netBalances(q, schemas) }
  })
}

async function refuseOtherVersions(q: Kysely<Tables>, { from, to }: ComparedSchemas): Promise<void> {
  const count = async (schema: string) => {
    const { rows } = await sql<{
      n: number
    }>`select count(*) as n from ${sql.table(`${schema}.store_migrations`)}`.execute(q)
    return Number(rows[0]?.n ?? 0)
  }
  if ((await count(from)) === (await count(to))) return
  throw new Problem(
    'CONFLICT',
    'The snapshots are of different versions of countroom. Load the older one and save it again. To list them: countroom sim snapshot list',
  )
}

async function changesOf(q: Kysely<Tables>, schemas: ComparedSchemas, shape: TableShape): Promise<EntityChange[]> {
  const { name, columns, key } = shape
  const fromTable = sql.table(`${schemas.from}.${name}`)
  const toTable = sql.table(`${schemas.to}.${name}`)
  const side = (alias: 'a' | 'b', prefix: string) =>
    sql.join(columns.map((column) => sql`${sql.ref(`${alias}.${column}`)} as ${sql.ref(`${prefix}${column}`)}`))
  const isSame = sql.join(
    key.map((column) => sql`${sql.ref(`a.${column}`)} = ${sql.ref(`b.${column}`)}`),
    sql` and `,
  )
  const order = (alias: 'a' | 'b') => sql.join(key.map((column) => sql.ref(`${alias}.${column}`)))
  const others = columns.filter((column) => !key.includes(column))
  const differs =
    others.length === 0
      ? sql`1 = 0`
      : sql.join(
          others.map((column) => differsIn(name, column)),
          sql` or `,
        )
  const first = key[0] ?? ''
  const added = await sql<ComparedRow>`
    select ${side('b', 'b_')} from ${toTable} as b left join ${fromTable} as a on ${isSame}
    where ${sql.ref(`a.${first}`)} is null order by ${order('b')}`.execute(q)
  const removed = await sql<ComparedRow>`
    select ${side('a', 'a_')} from ${fromTable} as a left join ${toTable} as b on ${isSame}
    where ${sql.ref(`b.${first}`)} is null order by ${order('a')}`.execute(q)
  const changed = await sql<ComparedRow>`
    select ${side('a', 'a_')}, ${side('b', 'b_')} from ${fromTable} as a join ${toTable} as b on ${isSame}
    where ${differs} order by ${order('a')}`.execute(q)
  return [
    ...removed.rows.map((row) => changeOf('removed', shape, row)),
    ...changed.rows.map((row) => changeOf('changed', shape, row)),
    ...added.rows.map((row) => changeOf('added', shape, row)),
  ]
}

/** Each snapshot encrypts its two-factor secrets with its own key: of them only the presence is compared. */
function differsIn(table: string, column: string) {
  const [a, b] = [sql.ref(`a.${column}`), sql.ref(`b.${column}`)]
  if (table === 'gateway_merchants' && column === 'totp_sealed') return sql`(${a} is null) <> (${b} is null)`
  return sql`${a} is distinct from ${b}`
}

function changeOf(change: EntityChange['change'], { name, columns, key }: TableShape, row: ComparedRow): EntityChange {
  const entity = entities[name] ?? { name }
  const side = change === 'removed' ? 'a_' : 'b_'
  const id = (entity.id ?? key).map((column) => String(isSecret(name, column) ? masked : row[`${side}${column}`]))
  const fields: Record<string, { before: Value; after: Value }> = {}
  for (const column of columns) {
    const before = row[`a_${column}`] ?? null
    const after = row[`b_${column}`] ?? null
    if (before === after || (name === 'gateway_merchants' && column === 'totp_sealed' && before && after)) continue
    const show = (value: Value) => (value !== null && isSecret(name, column) ? masked : value)
    fields[column] = { before: show(before), after: show(after) }
  }
  return { entity: entity.name, id: id.join('/'), change, fields }
}
