import { sql } from 'kysely'
import { openEngine } from '../../src/db/engines/open.ts'
import { migrate } from '../../src/db/migrate.ts'
import { world } from '../../src/db/migrations/world/index.ts'
import { monthAfter, monthOf } from '../../src/domain/bets/cursor.ts'
import { count, figure, isQuick, log, ms } from './bench.ts'
import { aDatabase } from './postgres.ts'

/**
 * The migration of a large table of bet records to partitions on PostgreSQL while another connection writes, and the
 * retention of one month by dropping its partition next to deleting its rows.
 */
export async function partitioning(): Promise<void> {
  const records = isQuick ? 200_000 : 10_000_000
  const postgres = await aDatabase()
  const [engine, other] = [await openEngine(postgres.url, 4), await openEngine(postgres.url, 2)]
  const steps = world.steps.slice(
    0,
    world.steps.findIndex(({ partitioned }) => partitioned),
  )
  await migrate(engine, { ...world, steps })
  const month = monthOf(Date.now())
  log(`writing ${count(records)} records…`)
  await engine.alone(async (q) => {
    await sql`insert into casino_bet_records
      select 'ACME', ${sql.lit(month)}, n, 's' || lpad(n::text, 21, '0'), 1, 'r' || lpad(n::text, 21, '0'), n,
        '{"recSeq":' || n || ',"text":"' || repeat('x', 480) || '"}'
      from generate_series(1, ${sql.lit(records)}) as n`.execute(q)
    await sql`insert into casino_bet_months values ('ACME', ${sql.lit(month)})`.execute(q)
  })
  const bytes = await engine.read(async (q) => {
    const { rows } = await sql<{ heap: number; all: number }>`
      select pg_table_size('casino_bet_records') as heap, pg_total_relation_size('casino_bet_records') as all`.execute(
      q,
    )
    return rows[0] ?? { heap: 0, all: 0 }
  })
  let isMigrating = true
  const waits: number[] = []
  let next = records + 1
  const insert = (n: number, to = month) =>
    other.write((q) =>
      sql`insert into casino_bet_records values ('ACME', ${to}, ${n}, 's', 1, 'r', 1, '{}')`.execute(q),
    )
  const writing = (async () => {
    while (isMigrating) {
      const begun = performance.now()
      await insert(next++)
      waits.push(performance.now() - begun)
    }
  })()
  const begun = performance.now()
  await migrate(engine, world)
  const took = performance.now() - begun
  isMigrating = false
  await writing
  const longest = Math.max(...waits)
  figure({
    what: `migration of ${count(records)} bet records to partitions, PostgreSQL, while ${count(waits.length)} others are written`,
    measured: `longest wait of a writer ${ms(longest)}, ${ms(took)} in all`,
    baseline: `${(bytes.heap / records).toFixed(0)} bytes a record, ${((bytes.all - bytes.heap) / records).toFixed(0)} of indexes`,
    goal: 'at most 1,000 ms',
    isMet: longest <= 1_000,
  })
  await retention(engine, month, records)
  await engine.close()
  await other.close()
  await postgres.stop()
}

type OpenEngine = Awaited<ReturnType<typeof openEngine>>

/** Drops the partition with all the records, next to deleting as many rows. */
async function retention(engine: OpenEngine, month: string, records: number): Promise<void> {
  const part = Math.min(records, 200_000)
  const deleting = performance.now()
  await engine.write((q) => sql`delete from casino_bet_records where rec_seq <= ${part}`.execute(q))
  const deleted = performance.now() - deleting
  const dropping = performance.now()
  await engine.partitions?.keep('casino_bet_records', { before: monthAfter(month, 3), months: [] })
  const dropped = performance.now() - dropping
  figure({
    what: `retention of a partition of ${count(records - part)} bet records, PostgreSQL`,
    measured: `dropped in ${ms(dropped)}`,
    baseline: `${count(part)} rows deleted in ${ms(deleted)}`,
  })
}
