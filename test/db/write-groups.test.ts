import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { nextOf } from '../../src/db/counter.ts'
import type { Reader, Store, Tx } from '../../src/db/store.ts'
import { startChild } from '../support/databases/children.ts'
import { engines, postgres } from '../support/databases/engines.ts'
import { accounts, anAccount, balanceOf, probeOptions, saveBalance } from './probe.ts'

const writeGroup = 'probe'
const many = Array.from({ length: 40 }, (_, i) => `a-${String(i).padStart(2, '0')}`)
/** Adds an account in the write group. */
const add = (store: Store, id: string) => store.write((tx) => anAccount(tx, id), { writeGroup })

describe.each(engines)('writes of one group, on $name', (engine) => {
  const open = async () => (await engine.database()).open(probeOptions)

  test('run in the order of their calls, each with its own result', async () => {
    const store = await open()
    const numbers = await Promise.all(
      many.map((id) =>
        store.write(
          async (tx) => {
            await anAccount(tx, id)
            return nextOf(tx, 'numbers')
          },
          { writeGroup },
        ),
      ),
    )
    expect(numbers).toEqual(many.map((_, i) => i + 1))
    expect(await store.read(accounts)).toEqual(many)
  })

  test('do not affect each other when one of them fails', async () => {
    const store = await open()
    const settled = await Promise.allSettled(
      many.map((id, i) =>
        store.write(
          async (tx) => {
            await anAccount(tx, id)
            if (i % 10 === 3) throw new Error('this one not')
            if (i % 10 === 7) await anAccount(tx, many[0] ?? '').catch(() => {})
          },
          { writeGroup },
        ),
      ),
    )
    const good = many.filter((_, i) => i % 10 !== 3 && i % 10 !== 7)
    expect(many.filter((_, i) => settled[i]?.status === 'fulfilled')).toEqual(good)
    expect(await store.read(accounts)).toEqual(good)
  })

  test('keep the async context of their callers, whichever caller started the group', async () => {
    const store = await open()
    const who = new AsyncLocalStorage<string>()
    const contexts = await Promise.all(
      many.map((id) => who.run(id, () => store.write(async () => who.getStore(), { writeGroup }))),
    )
    expect(contexts).toEqual(many)
  })

  test('are finished before the store closes', async () => {
    const database = await engine.database()
    const store = await database.open(probeOptions)
    const writes = many.map((id) => add(store, id))
    await store.close()
    expect(await Promise.all(writes)).toEqual(many)
    if (engine.keeps) expect(await (await database.open(probeOptions)).read(accounts)).toEqual(many)
  })
})

describe('writes of one group, only on PostgreSQL', () => {
  const transaction = async ({ q }: Reader) => {
    const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(q)
    return rows[0]?.id
  }

  test('share their commits when they wait together, and those of another group do not wait for them', async () => {
    const store = await (await postgres.database()).open(probeOptions)
    const gate = Promise.withResolvers<void>()
    const first = store.write(
      async (tx) => {
        await gate.promise
        return transaction(tx)
      },
      { writeGroup },
    )
    const rest = many.map(() => store.write(transaction, { writeGroup }))
    await store.write((tx) => anAccount(tx, 'elsewhere'), { writeGroup: 'another' })
    gate.resolve()
    const shared = new Set(await Promise.all(rest))
    expect(shared.size).toBe(1)
    expect(shared).not.toContain(await first)
  })

  test('have the same time when they share a transaction, which reads the clock once', async () => {
    let clockReads = 0
    const store = await (await postgres.database()).open({ ...probeOptions, now: () => ++clockReads })
    const before = clockReads
    const moments = await Promise.all(many.map(() => store.write(async ({ now }) => now, { writeGroup })))
    expect(moments).toEqual(many.map((_, i) => (i === 0 ? before + 1 : before + 2)))
    expect(await store.write(async ({ now }) => now, { writeGroup, at: 7 })).toBe(7)
    // Each write also reads the clock, which shows whether the content was replaced.
    expect(await store.write(async ({ now }) => now, { writeGroup })).toBe(before + 4)
  })

  test('that are refused before they changed anything leave their neighbors unchanged', async () => {
    const store = await (await postgres.database()).open(probeOptions)
    let runs = 0
    const settled = await Promise.allSettled(
      many.map((id, i) =>
        store.write(
          async (tx) => {
            runs += 1
            const before = await accounts(tx)
            // The earlier writes in the same transaction are the reason for its refusal.
            if (i % 2 === 1) throw new Error(`there are ${before.length}`)
            await anAccount(tx, id)
            return transaction(tx)
          },
          { writeGroup },
        ),
      ),
    )
    expect(runs).toBe(many.length)
    expect(settled.map((each) => (each.status === 'rejected' ? each.reason.message : 'done'))).toEqual(
      many.map((_, i) => (i % 2 === 1 ? `there are ${(i + 1) / 2}` : 'done')),
    )
    const transactions = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    // The first one found no other waiting.
    expect(new Set(transactions).size).toBe(2)
    expect(await store.read(accounts)).toEqual(many.filter((_, i) => i % 2 === 0))
  })

  test('that fail after a change are undone individually, in one further run', async () => {
    const store = await (await postgres.database()).open(probeOptions)
    const runs = new Map<string, number>()
    const settled = await Promise.allSettled(
      many.map((id, i) =>
        store.write(
          async (tx) => {
            runs.set(id, (runs.get(id) ?? 0) + 1)
            await anAccount(tx, id)
            if (i % 3 === 1) throw new Error('this one not')
            // An invalid query, which leaves a transaction that rejects every further statement.
            if (i % 3 === 2) await sql`select 1 / 0`.execute(tx.q).catch(() => {})
          },
          { writeGroup },
        ),
      ),
    )
    expect(Math.max(...runs.values())).toBe(2)
    const good = many.filter((_, i) => i % 3 === 0)
    expect(many.filter((_, i) => settled[i]?.status === 'fulfilled')).toEqual(good)
    expect(await store.read(accounts)).toEqual(good)
  })

  test('that use the key of a neighbor see it when they are run again', async () => {
    const store = await (await postgres.database()).open(probeOptions)
    let seen = 0
    const make = async (tx: Tx) => {
      if (++seen > 2 && (await accounts(tx)).includes('a')) return 'there already'
      await anAccount(tx, 'a')
      return 'made'
    }
    const [, ...rest] = await Promise.all([
      add(store, 'first'),
      ...['x', 'a', 'b'].map((id) =>
        store.write(
          async (tx) => {
            if (id === 'x') return anAccount(tx, 'a')
            if (id === 'a') return make(tx)
            return anAccount(tx, 'b')
          },
          { writeGroup },
        ),
      ),
    ])
    expect(rest).toEqual(['a', 'there already', 'b'])
    expect(await store.read(accounts)).toEqual(['a', 'b', 'first'])
  })

  test('of two processes are each done once and started once, in any order', async () => {
    const database = await postgres.database()
    const stores = await Promise.all([database.open(probeOptions), database.open(probeOptions)])
    await stores[0]?.write((tx) => anAccount(tx, 'purse', '0'))
    let runs = 0
    const more = (store: Store) =>
      store.write(
        async (tx) => {
          runs += 1
          const balance = Number(await balanceOf(tx, 'purse')) + 1
          await saveBalance(tx, 'purse', String(balance))
          return balance
        },
        { writeGroup },
      )
    const balances = await Promise.all(stores.flatMap((store) => many.map(() => more(store))))
    expect(balances.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 80 }, (_, i) => i + 1))
    expect(runs).toBe(80)
  })

  test('wait for one of another process, while those without a group and readers do not', async () => {
    const database = await postgres.database({ poolSize: 4 })
    const [one, two, other] = [
      await database.open(probeOptions),
      await database.open(probeOptions),
      await database.open(probeOptions),
    ]
    const gate = Promise.withResolvers<void>()
    // As many as there are connections: waiting writes must leave some to the rest.
    const writeGroups = Array.from({ length: 4 }, (_, i) => `lane ${i}`)
    const held = writeGroups.map((each, i) => {
      const begun = Promise.withResolvers<void>()
      const work = async (tx: Tx) => {
        await anAccount(tx, each)
        begun.resolve()
        await gate.promise
      }
      return { begun: begun.promise, done: (i < 2 ? one : two).write(work, { writeGroup: each }) }
    })
    await Promise.all(held.map(({ begun }) => begun))
    const order: string[] = []
    const waiting = writeGroups.map((each) => other.write(async () => void order.push(each), { writeGroup: each }))
    await other.write((tx) => anAccount(tx, 'beside'))
    expect(await other.read(accounts)).toEqual(['beside'])
    expect(order).toEqual([])
    gate.resolve()
    await Promise.all([...held.map(({ done }) => done), ...waiting])
    expect(order.toSorted()).toEqual(writeGroups)
    expect(await other.read(accounts)).toEqual(['beside', ...writeGroups])
  })

  test('continue when the process that held the group is killed', async () => {
    const database = await postgres.database()
    const store = await database.open(probeOptions)
    const child = startChild('hold', database.url ?? '', writeGroup)
    await child.waitForLines(1)
    let isDone = false
    const write = add(store, 'after').then(() => {
      isDone = true
    })
    await store.write((tx) => anAccount(tx, 'beside'), { writeGroup: 'another' })
    expect(isDone).toBe(false)
    await child.kill()
    await write
    expect(await store.read(accounts)).toEqual(['after', 'beside'])
  })

  test('are all rejected when the database is gone, and the next one connects again', async () => {
    const store = await (await postgres.database({ poolSize: 2 })).open(probeOptions)
    const settled = await Promise.allSettled(
      many.map((id, i) =>
        store.write(
          async (tx) => {
            await anAccount(tx, id)
            // The first one is alone in its group, because it found no other waiting.
            if (i === 20) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx.q)
          },
          { writeGroup },
        ),
      ),
    )
    expect(settled.map(({ status }) => status)).toEqual(many.map((_, i) => (i === 0 ? 'fulfilled' : 'rejected')))
    for (const each of settled.slice(1))
      expect(each).toMatchObject({ reason: { code: 'STORE_UNAVAILABLE', detail: { outcome: 'none' } } })
    await add(store, 'later')
    expect(await store.read(accounts)).toEqual(['a-00', 'later'])
  })
})
