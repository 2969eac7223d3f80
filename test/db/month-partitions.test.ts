import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Engine } from '../../src/db/engines/engine.ts'
import { type PgClient, valueParsers } from '../../src/db/engines/postgres/connection.ts'
import { postgresEngine } from '../../src/db/engines/postgres/index.ts'
import { parsePostgresUrl } from '../../src/db/engines/postgres/url.ts'
import { migrate } from '../../src/db/migrate.ts'
import { world } from '../../src/db/migrations/world/index.ts'
import type { BetRecordRow } from '../../src/db/schema/casino.ts'
import { postgres, type TestDatabase } from '../support/databases/engines.ts'

const table = 'casino_bet_records'
const before = {
  ...world,
  steps: world.steps.slice(
    0,
    world.steps.findIndex(({ partitioned }) => partitioned),
  ),
}

const record = (month: string, n: number): BetRecordRow => ({
  tenant: `T${n % 2}`,
  month,
  rec_seq: n,
  slip_id: `s${n}`,
  rev: 1,
  round_id: `r${n}`,
  settled_at: n,
  record: `{"n":${n}}`,
})

const insert = (engine: Engine, ...rows: readonly BetRecordRow[]) =>
  engine.write(
    async (q) =>
      void (await q
        .insertInto(table)
        .values([...rows])
        .execute()),
  )

const numbersIn = (engine: Engine) =>
  engine.read(async (q) =>
    (await q.selectFrom(table).select('rec_seq').execute()).map((row) => row.rec_seq).sort(byNumber),
  )

const byNumber = (a: number, b: number) => a - b

const partitionsIn = (engine: Engine) =>
  engine.read(async (q) => {
    const { rows } = await sql<{ name: string; rows: number }>`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = to_regclass(${table}) order by c.relname`.execute(q)
    return rows.map(({ name }) => name.replace(`${table}_`, ''))
  })

/** A world as it was before, with records of two months. */
async function old(): Promise<{ database: TestDatabase; engine: Engine }> {
  const database = await postgres.database()
  const engine = await database.engine()
  await migrate(engine, before)
  await engine.write((q) => q.insertInto('casino_bet_months').values({ tenant: 'T0', month: '203003' }).execute())
  await insert(engine, ...Array.from({ length: 200 }, (_, i) => record(i < 100 ? '203002' : '203003', i)))
  return { database, engine }
}

/** A statement, and the locks of the table that its transaction holds after it. */
interface Step {
  readonly text: string
  readonly modes: readonly string[]
}

/** An engine that reads, after each change of the schema, the locks that the transaction holds. */
async function watched(database: TestDatabase, onStep: (text: string) => Promise<void> = async () => {}) {
  const address = parsePostgresUrl(database.url ?? '')
  const pool = new pg.Pool({
    connectionString: address.connectionString,
    options: address.options,
    types: { getTypeParser: (id, format) => valueParsers[id] ?? pg.types.getTypeParser(id, format) },
  })
  const found = await pool.query(`select to_regclass('${table}')::oid as oid`)
  const { oid } = found.rows[0]
  const steps: Step[] = []
  const watching = (client: pg.PoolClient): PgClient => ({
    async query(query) {
      const result = await client.query(query)
      if (/^\s*(alter|create|drop)\b/i.test(query.text)) {
        const locks = await client.query(
          'select mode from pg_locks where pid = pg_backend_pid() and relation = $1 order by mode',
          [oid],
        )
        steps.push({ text: query.text, modes: locks.rows.map(({ mode }) => mode) })
        await onStep(query.text)
      }
      return result
    },
    release: (broken) => client.release(broken),
  })
  const engine = postgresEngine(
    { connect: async () => watching(await pool.connect()), end: () => pool.end() },
    3,
    address,
  )
  onTestFinished(() => engine.close())
  return { engine, steps }
}

describe('the migration of a table to partitions by month', () => {
  test('takes the lock that others wait for only to change the catalog, and reads the rows without it', async () => {
    const { database, engine } = await old()
    const written: number[] = []
    let next = 1_000
    /** Another process: it gives up when it has to wait. */
    const write = async () => {
      await engine.write(async (q) => {
        await sql`set local lock_timeout = '1ms'`.execute(q)
        await q.insertInto(table).values(record('203003', next)).execute()
      })
      written.push(next++)
    }
    const { engine: migrating, steps } = await watched(database, async (text) => {
      if (text.includes('validate constraint')) await write()
    })
    await migrate(migrating, world)
    await write()

    expect(written).toEqual([1_000, 1_001])
    expect(await numbersIn(engine)).toEqual([...Array.from({ length: 200 }, (_, i) => i), ...written])
    expect(await partitionsIn(engine)).toEqual(['203005', '203006', '203007', 'before_203005', 'other'])
    const validation = steps.find(({ text }) => text.includes('validate constraint'))
    expect(validation?.modes).toContain('ShareUpdateExclusiveLock')
    expect(validation?.modes).not.toContain('AccessExclusiveLock')
    const exclusive = steps.filter(({ modes }) => modes.includes('AccessExclusiveLock')).map(({ text }) => text)
    expect(exclusive[0]).toMatch(/add constraint[\s\S]*not valid/)
    // The rows are validated: attaching reads none. The new table has no rows when its indexes are made.
    expect(exclusive.slice(1).filter((text) => !/^\s*(alter|create)/i.test(text))).toEqual([])
    expect(
      exclusive.filter((text) => /validate|create (unique )?index (?!.* ON casino_bet_records USING)/i.test(text)),
    ).toEqual([])
  })

  test('waits behind a transaction that has the table, without stopping others', async () => {
    const { database, engine } = await old()
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const long = engine.read(async (q) => {
      await q.selectFrom(table).select('rec_seq').limit(1).execute()
      begun.resolve()
      await gate.promise
    })
    await begun.promise
    const migrating = await database.engine()
    const migrated = migrate(migrating, world)
    // A writer that arrives while the migration waits gets its turn when that gives up, and before it tries again.
    for (let n = 1_000; n < 1_005; n++) await insert(engine, record('203003', n))
    expect(await partitionsIn(engine)).toEqual([])
    gate.resolve()
    await long
    await migrated
    expect(await partitionsIn(engine)).toContain('before_203005')
    expect(await numbersIn(engine)).toHaveLength(205)
  })

  test('continues where a killed process left it', async () => {
    const { database, engine } = await old()
    const [step] = world.steps.filter(({ partitioned }) => partitioned)
    for (const each of step?.partitioned ?? []) await engine.partitions?.prepare(each)
    await insert(engine, record('203004', 500))
    await expect(insert(engine, record('203005', 501))).rejects.toThrow(/before_203005/)
    await migrate(await database.engine(), world)
    await insert(engine, record('203005', 501))
    expect(await numbersIn(engine)).toHaveLength(202)
  })
})

describe('partitions by month', () => {
  async function migrated() {
    const { database, engine } = await old()
    await migrate(engine, world)
    return { database, engine }
  }
  const keep = (engine: Engine, months: readonly string[], before?: string) =>
    engine.partitions?.keep(table, { before, months })
  /** Drops partitions until their total is `count`. A change that gets no lock, or takes too long, is left to the next run. */
  const dropped = async (engine: Engine, count: number, before: string) => {
    let all = 0
    await expect
      .poll(async () => {
        all += (await keep(engine, [], before)) ?? 0
        return all
      })
      .toBe(count)
  }
  /** Creates partitions until these exist. */
  const created = (engine: Engine, months: readonly string[], partitions: readonly string[]) =>
    expect
      .poll(async () => {
        expect(await keep(engine, months)).toBe(0)
        return partitionsIn(engine)
      })
      .toEqual(partitions)

  test('are created for coming months, without a lock that writers wait for', async () => {
    const { database } = await migrated()
    const { engine: other, steps } = await watched(database)
    await created(
      other,
      ['203007', '203008', '203009'],
      ['203005', '203006', '203007', '203008', '203009', 'before_203005', 'other'],
    )
    expect(steps.some(({ text }) => text.includes('attach partition'))).toBe(true)
    expect(steps.filter(({ modes }) => modes.includes('AccessExclusiveLock'))).toEqual([])
  })

  test('are not created for a month whose rows are already among the others', async () => {
    const { engine } = await migrated()
    await insert(engine, record('203012', 700))
    await created(engine, ['203012', '203101'], ['203005', '203006', '203007', '203101', 'before_203005', 'other'])
    expect(await numbersIn(engine)).toContain(700)
  })

  test('are dropped when no month of them is kept, and not before', async () => {
    const { engine } = await migrated()
    await insert(engine, record('203005', 800), record('203006', 801))
    expect(await keep(engine, [], '203004')).toBe(0)
    await dropped(engine, 2, '203006')
    expect(await partitionsIn(engine)).toEqual(['203006', '203007', 'other'])
    expect(await numbersIn(engine)).toEqual([801])
    const { rows } = await engine.read((q) =>
      sql`select 1 from pg_tables where schemaname = current_schema() and tablename like '%detached'`.execute(q),
    )
    expect(rows).toEqual([])
  })

  test('are dropped later while a transaction reads the table', async () => {
    const { engine } = await migrated()
    await engine.read(async (q) => {
      await q.selectFrom(table).select('rec_seq').limit(1).execute()
      expect(await keep(engine, [], '203005')).toBe(0)
    })
    await dropped(engine, 1, '203005')
  })
})
