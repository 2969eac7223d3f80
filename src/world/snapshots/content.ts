import { type Kysely, sql } from 'kysely'
import { readDatabase } from '../../db/engines/open.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import type { PortableFile } from '../../services/chat/media/portable-files.ts'

/** Description of a snapshot, kept in it. */
export interface SnapshotInfo {
  readonly name: string
  /** Machine time at which it was saved. */
  readonly savedAt: number
  /** The world's time then. */
  readonly worldTime: number
  readonly slips: number
  readonly players: number
  /** Number of migrations of its schema. */
  readonly migrations: number
  /** Key with which the two-factor secrets in it are encrypted. */
  readonly transportKey: string
}

/** Tables of a snapshot that a world does not have. */
export const snapshotTables = ['snapshot_info', 'snapshot_files'] as const

type Query = Kysely<never>

/** Adds the tables. They are in the copy only, so no world's migration creates them. */
export async function addContentTables(q: Kysely<unknown>): Promise<void> {
  await q.schema
    .createTable('snapshot_info')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('content', 'text', (column) => column.notNull())
    .execute()
  await q.schema
    .createTable('snapshot_files')
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('copy', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('snapshot_files_key', ['id', 'copy'] as never)
    .execute()
}

export async function writeContent(
  q: Kysely<unknown>,
  info: SnapshotInfo,
  files: readonly PortableFile[],
): Promise<void> {
  await addContentTables(q)
  await sql`insert into snapshot_info (id, content) values ('snapshot', ${JSON.stringify(info)})`.execute(q)
  for (const { id, copy, bytes } of files)
    await sql`insert into snapshot_files (id, copy, bytes) values (${id}, ${copy}, ${bytes.toString('base64')})`.execute(
      q,
    )
}

/** Reads the description in a snapshot, or throws INVALID_FILE for another database. */
export async function readInfo(url: string, shown: string): Promise<SnapshotInfo> {
  try {
    const { rows } = await readDatabase(url, (q) =>
      sql<{ content: string }>`select content from snapshot_info`.execute(q),
    )
    return infoFrom(rows[0]?.content ?? '')
  } catch (error) {
    if (isProblem(error) && error.code !== 'STORE_FOREIGN') throw error
    throw new Problem(
      'INVALID_FILE',
      `${shown} is not a snapshot. To create one: countroom sim snapshot save before`,
      {},
      { cause: error },
    )
  }
}

/** Parses the description of a snapshot. A file may come from any source, so other values are refused. */
function infoFrom(text: string): SnapshotInfo {
  const info: Partial<Record<keyof SnapshotInfo, unknown>> = JSON.parse(text)
  const { name, savedAt, worldTime, slips, players, migrations, transportKey } = info
  const isTime = (value: unknown) => typeof value === 'number' && !Number.isNaN(new Date(value).getTime())
  const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0
  const isValid =
    [name, transportKey].every((value) => typeof value === 'string') &&
    [savedAt, worldTime].every((value) => Number.isSafeInteger(value) && isTime(value)) &&
    [slips, players, migrations].every(isCount)
  if (!isValid) throw new Error('the description of the snapshot has other values')
  return info as SnapshotInfo
}

export async function readSnapshotFiles(q: Query): Promise<PortableFile[]> {
  const { rows } = await sql<{ id: string; copy: number; bytes: string }>`
    select id, copy, bytes from snapshot_files order by id, copy`.execute(q)
  return rows.map(({ id, copy, bytes }) => ({ id, copy, bytes: Buffer.from(bytes, 'base64') }))
}

/** Removes the tables, so that the copy has those of a world only. */
export async function dropContent(q: Query): Promise<void> {
  for (const table of snapshotTables) await sql`drop table ${sql.table(table)}`.execute(q)
}
