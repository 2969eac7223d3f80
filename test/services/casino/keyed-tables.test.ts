import { type CompiledQuery, DummyDriver, type Kysely, sql, Transaction } from 'kysely'
import { describe, expect, test } from 'vitest'
import { migrate } from '../../../src/db/migrate.ts'
import { world } from '../../../src/db/migrations/world/index.ts'
import type { NonceRow, TransferRow } from '../../../src/db/schema/casino.ts'
import type { Tables } from '../../../src/db/schema/index.ts'
import type { Tx } from '../../../src/db/store.ts'
import { forgetNonces, takeNonces } from '../../../src/services/casino/queries/tenants.ts'
import { insertTransfer, transfersOf } from '../../../src/services/casino/queries/transfers.ts'
import { type EngineUnderTest, postgres, sqliteFile } from '../../support/databases/engines.ts'

const now = 1_700_000_000_000
const count = 3_000

const transfer = (n: number): TransferRow => ({
  id: `id-${n}`,
  tenant: `T${n % 3}`,
  txn_id: `txn-${n}`,
  player_id: `p${n % 40}`,
  dir: 'in',
  amount: '1',
  change: '1',
  balance: String(n),
  at: now - n,
})
const nonce = (n: number): NonceRow => ({
  key_id: `ek_l_${n % 3}`,
  nonce: `nonce${n}`.padEnd(16, 'x'),
  stamp: now - n,
  expires_at: now - n,
})

const rowsIn = async (q: Kysely<Tables>) => ({
  transfers: await q.selectFrom('casino_transfers').selectAll().orderBy('at').execute(),
  nonces: await q.selectFrom('casino_nonces').selectAll().orderBy('stamp').execute(),
})

/** A database as it was before the migration, with rows. */
async function filled(engine: EngineUnderTest) {
  const one = await (await engine.database()).engine()
  const before = world.steps.findIndex(({ name }) => name.endsWith('-casino-keyed-tables'))
  await migrate(one, { ...world, steps: world.steps.slice(0, before) })
  await one.write(async (q) => {
    for (let from = 0; from < count; from += 100) {
      const numbers = Array.from({ length: 100 }, (_, i) => from + i)
      await q.insertInto('casino_transfers').values(numbers.map(transfer)).execute()
      await q.insertInto('casino_nonces').values(numbers.map(nonce)).execute()
    }
  })
  return one
}

/** A transaction that also collects its queries. */
function watched(q: Kysely<Tables>): { tx: Tx; queries: CompiledQuery[] } {
  const queries: CompiledQuery[] = []
  const executor = q.getExecutor()
  const watching = executor.withConnectionProvider({
    provideConnection: (consumer) =>
      executor.provideConnection((connection) =>
        consumer({
          executeQuery: (query) => {
            queries.push(query)
            return connection.executeQuery(query)
          },
          streamQuery: (query) => connection.streamQuery(query, 1),
        }),
      ),
  })
  const dialect = { createDriver: () => new DummyDriver() } as never
  const tx = new Transaction<Tables>({ config: { dialect }, dialect, driver: new DummyDriver(), executor: watching })
  return { tx: { q: tx, now, writes: true }, queries }
}

describe.each([sqliteFile, postgres])('transfers and nonces stored by their key, on $name', (engine) => {
  test('are the same rows as before the migration, each key still once', async () => {
    const one = await filled(engine)
    const before = await one.read(rowsIn)
    await migrate(one, world)
    expect(await one.read(rowsIn)).toEqual(before)
    expect(before.transfers).toHaveLength(count)
    const again = { ...transfer(7), id: 'another' }
    await expect(one.write((q) => q.insertInto('casino_transfers').values(again).execute())).rejects.toThrow(/unique/i)
    await one.write((q) =>
      q
        .insertInto('casino_transfers')
        .values({ ...again, player_id: 'another' })
        .execute(),
    )
    await expect(one.write((q) => q.insertInto('casino_nonces').values(nonce(7)).execute())).rejects.toThrow(/unique/i)
  })

  test('are unchanged by a migration that fails after it', async () => {
    const one = await filled(engine)
    const before = await one.read(rowsIn)
    const steps = world.steps.map((step) =>
      step.storedByKey ? { ...step, storedByKey: [...step.storedByKey, { name: 'none', columns: [], key: [] }] } : step,
    )
    await expect(migrate(one, { ...world, steps })).rejects.toThrow()
    expect(await one.read(rowsIn)).toEqual(before)
    await migrate(one, world)
    expect(await one.read(rowsIn)).toEqual(before)
  })

  test('are found by the key in every query, without a table scan', async () => {
    const one = await filled(engine)
    await migrate(one, world)
    const plans = await one.write(async (q) => {
      await sql`analyze`.execute(q)
      const { tx, queries } = watched(q)
      await transfersOf(tx, 'T1', 'txn-1')
      await insertTransfer(tx, transfer(count))
      await takeNonces(tx, [nonce(count), nonce(1)], now + 1)
      const part = { after: { key_id: 'ek_l_1', nonce: '' }, size: 50 }
      await forgetNonces(tx, now, part)
      expect(queries).toHaveLength(5)
      const plans: string[] = []
      for (const { sql: text, parameters } of queries) {
        const explain = engine.isPostgres ? 'explain' : 'explain query plan'
        const { rows } = await q.executeQuery({ ...sql`select 1`.compile(q), sql: `${explain} ${text}`, parameters })
        plans.push(rows.map((row) => Object.values(row as object).join(' ')).join('\n'))
      }
      return plans
    })
    for (const plan of plans) expect(plan).not.toMatch(/seq scan|scan casino/i)
    const [ofTxn, , , nextPart, expired] = plans
    expect(ofTxn).toMatch(
      engine.isPostgres ? /using casino_transfers_key/ : /SEARCH casino_transfers USING PRIMARY KEY/,
    )
    for (const plan of [nextPart, expired])
      expect(plan).toMatch(engine.isPostgres ? /casino_nonces_key/ : /SEARCH casino_nonces USING PRIMARY KEY/)
  })
})

describe.each([sqliteFile, postgres])('expired nonces on $name', (engine) => {
  test('are deleted in parts, and a part begins where the last one ended', async () => {
    const one = await filled(engine)
    await migrate(one, world)
    const forget = (after: Parameters<typeof forgetNonces>[2]['after'] | undefined, size: number) =>
      one.write((q) => {
        const tx = { q, now: now - 1_000, writes: true } as const
        return forgetNonces(tx, now - 2_000, { after: after ?? { key_id: '', nonce: '' }, size })
      })
    let deleted = 0
    let parts = 0
    let after: Awaited<ReturnType<typeof forget>>['last']
    do {
      const part = await forget(after, 700)
      deleted += part.deleted
      parts++
      after = part.last
    } while (after)
    expect({ deleted, parts }).toEqual({ deleted: 999, parts: 5 })
    const { nonces } = await one.read(rowsIn)
    expect(nonces.every(({ stamp }) => stamp >= now - 2_000)).toBe(true)
    expect(nonces).toHaveLength(count - 999)
  })
})
