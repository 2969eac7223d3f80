import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { nextOf } from '../../src/db/counter.ts'
import type { Store, Tx } from '../../src/db/store.ts'
import { openServer } from '../../src/http/server/server.ts'
import { silentLog } from '../../src/kit/log.ts'
import { isProblem, Problem } from '../../src/kit/problem.ts'
import { engines } from '../support/databases/engines.ts'
import { accounts, anAccount, balanceOf, insertRecord, probe, probeOptions, saveBalance } from './probe.ts'

const reuse = /in use here: finish the transaction before calling out/

describe.each(engines)('on $name', (engine) => {
  const open = async () => (await engine.database()).open(probeOptions)

  describe('a write', () => {
    test('is stored completely, and returns the result of its work', async () => {
      const store = await open()
      expect(await store.write(async (tx) => anAccount(tx, 'a', '5'))).toBe('a')
      expect(await store.read((reader) => balanceOf(reader, 'a'))).toBe('5')
    })

    test('that throws leaves no change and throws the same error', async () => {
      const store = await open()
      const refusal = new Problem('NO', 'No')
      const write = store.write(async (tx) => {
        await anAccount(tx, 'a')
        throw refusal
      })
      await expect(write).rejects.toBe(refusal)
      expect(await store.read(accounts)).toEqual([])
    })

    test('after a failed one succeeds', async () => {
      const store = await open()
      await expect(store.write(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
      await store.write((tx) => anAccount(tx, 'a'))
      expect(await store.read(accounts)).toEqual(['a'])
    })

    test('that throws before its first await is an ordinary failure', async () => {
      const store = await open()
      const write = store.write(() => {
        throw new Error('at once')
      })
      await expect(write).rejects.toThrow('at once')
    })

    test('fails with a query that failed in it, even if its work ignored the error', async () => {
      const store = await open()
      await store.write((tx) => anAccount(tx, 'a'))
      const write = store.write(async (tx) => {
        await anAccount(tx, 'b')
        await anAccount(tx, 'a').catch(() => {})
        return 'done'
      })
      await expect(write).rejects.toThrow(/unique/i)
      expect(await store.read(accounts)).toEqual(['a'])
    })

    test('accepts queries that are started together', async () => {
      const store = await open()
      await store.write((tx) => Promise.all(['c', 'a', 'b'].map((id) => anAccount(tx, id))))
      expect(await store.read(accounts)).toEqual(['a', 'b', 'c'])
    })

    test('rolls back cleanly when one of several queries started together fails', async () => {
      const store = await open()
      await store.write((tx) => anAccount(tx, 'a'))
      const write = store.write((tx) => Promise.all(['b', 'a', 'c', 'd'].map((id) => anAccount(tx, id))))
      await expect(write).rejects.toThrow(/unique/i)
      expect(await store.read(accounts)).toEqual(['a'])
    })

    test('keeps the async context of its caller, with concurrent writers', async () => {
      const store = await open()
      const caller = new AsyncLocalStorage<number>()
      const seen = await Promise.all(
        [1, 2, 3].map((n) =>
          caller.run(n, () => store.write(async (tx) => [n, caller.getStore(), await accounts(tx)])),
        ),
      )
      expect(seen.map(([n, context]) => n === context)).toEqual([true, true, true])
    })
  })

  describe('time', () => {
    test('is read from the clock in the transaction itself', async () => {
      const database = await engine.database()
      const store = await database.open({
        ...probeOptions,
        async now(q) {
          const row = await q.selectFrom('store_counters').select('value').executeTakeFirst()
          return 1000 + (row?.value ?? 0)
        },
      })
      expect(await store.write(async ({ now }) => now)).toBe(1000)
      await store.write((tx) => nextOf(tx, 'offset'))
      expect(await store.write(async ({ now }) => now)).toBe(1001)
      expect(await store.read(async ({ now }) => now)).toBe(1001)
    })

    test('can be passed to a write instead', async () => {
      const store = await open()
      expect(await store.write(async ({ now }) => now, { at: 42 })).toBe(42)
    })

    test('is a whole number', async () => {
      const store = await open()
      await expect(store.write(async ({ now }) => now, { at: 0.5 })).rejects.toThrow('whole number of milliseconds')
    })
  })

  describe('a read', () => {
    test('cannot write', async () => {
      const store = await open()
      await expect(store.read((reader) => anAccount(reader, 'a'))).rejects.toThrow(/read-?only/i)
      await store.write((tx) => anAccount(tx, 'b'))
      expect(await store.read(accounts)).toEqual(['b'])
    })

    test('never sees part of a write', async () => {
      const store = await open()
      const write = store.write(async (tx) => {
        await anAccount(tx, 'a')
        for (let i = 0; i < 20; i++) await nextTurn()
        await anAccount(tx, 'b')
      })
      const seen = await Promise.all(Array.from({ length: 8 }, () => store.read(accounts)))
      await write
      for (const ids of seen) expect([0, 2]).toContain(ids.length)
      expect(await store.read(accounts)).toEqual(['a', 'b'])
    })

    test('never sees a write that was rolled back', async () => {
      const store = await open()
      const write = store.write(async (tx) => {
        await anAccount(tx, 'a')
        for (let i = 0; i < 20; i++) await nextTurn()
        throw new Error('no')
      })
      const seen = Promise.all(Array.from({ length: 8 }, () => store.read(accounts)))
      await expect(write).rejects.toThrow('no')
      for (const ids of await seen) expect(ids).toEqual([])
    })

    test('sees one state from its start to its end', async () => {
      const store = await open()
      const looked = Promise.withResolvers<void>()
      const written = looked.promise.then(() => store.write((tx) => anAccount(tx, 'a')))
      const [before, after] = await store.read(async (reader) => {
        const first = await accounts(reader)
        looked.resolve()
        if (engine.sideBySide) await written
        else for (let i = 0; i < 20; i++) await nextTurn()
        return [first, await accounts(reader)]
      })
      expect([before, after]).toEqual([[], []])
      await written
      expect(await store.read(accounts)).toEqual(['a'])
    })

    test('sees what was acknowledged before it started', async () => {
      const store = await open()
      for (let i = 0; i < 20; i++) {
        await store.write((tx) => anAccount(tx, String(i)))
        expect(await store.read(accounts)).toHaveLength(i + 1)
      }
    })
  })

  describe('with many at once', () => {
    test('200 withdrawals from one balance stay exact', async () => {
      const store = await open()
      await store.write((tx) => anAccount(tx, 'purse', '1000'))
      const results = await Promise.all(Array.from({ length: 200 }, () => withdraw(store, 'purse', 7)))
      expect(results.filter((result) => result === 'done')).toHaveLength(142)
      expect(results.filter((result) => result === 'too-little')).toHaveLength(58)
      expect(await store.read((reader) => balanceOf(reader, 'purse'))).toBe('6')
    })

    test('exactly one of 20 closers of a ticket wins, and one mail is written', async () => {
      const store = await open()
      await store.write((tx) => probe(tx).insertInto('probe_tickets').values({ id: 't', state: 'open' }).execute())
      const won = await Promise.all(Array.from({ length: 20 }, (_, i) => close(store, 't', `mail-${i}`)))
      expect(won.filter(Boolean)).toHaveLength(1)
      const mails = await store.read((reader) => probe(reader).selectFrom('probe_mails').selectAll().execute())
      expect(mails).toEqual([{ id: `mail-${won.indexOf(true)}`, ticket: 't' }])
    })

    test("a cursor's reader never passes over a record", async () => {
      const store = await open()
      await store.write((tx) => anAccount(tx, 'a'))
      const total = 200
      let isWritten = false
      const writers = Promise.all(
        Array.from({ length: 10 }, async () => {
          for (let i = 0; i < total / 10; i++)
            await store.write(async (tx) => insertRecord(tx, await nextOf(tx, 'records'), 'a'))
        }),
      ).finally(() => {
        isWritten = true
      })
      const seen: number[] = []
      for (;;) {
        const isLast = isWritten
        const page = await store.read((reader) => recordsAfter(reader, seen.at(-1) ?? 0))
        seen.push(...page)
        if (isLast && page.length === 0) break
        await nextTurn()
      }
      await writers
      expect(seen).toEqual(Array.from({ length: total }, (_, i) => i + 1))
    })

    test('two writes that read the same and write differently do not both succeed', async () => {
      const store = await open()
      for (let round = 0; round < 10; round++) {
        const [one, other] = [`one-${round}`, `other-${round}`]
        await store.write(async (tx) => {
          await anAccount(tx, one, '1')
          await anAccount(tx, other, '1')
        })
        // The rule: not both may be empty.
        const empty = (id: string) =>
          store.write(async (tx) => {
            const sum = Number(await balanceOf(tx, one)) + Number(await balanceOf(tx, other))
            if (sum > 1) await saveBalance(tx, id, '0')
          })
        await Promise.all([empty(one), empty(other)])
        const left = await store.read(async (reader) => [await balanceOf(reader, one), await balanceOf(reader, other)])
        expect([...left].sort()).toEqual(['0', '1'])
      }
    })

    test('a failed write does not affect its neighbors', async () => {
      const store = await open()
      const writes = Array.from({ length: 30 }, (_, i) =>
        store.write(async (tx) => {
          await anAccount(tx, `a-${String(i).padStart(2, '0')}`)
          if (i % 3 === 0) throw new Error('this one not')
          if (i % 3 === 1) await anAccount(tx, 'shared').catch(() => {})
        }),
      )
      const settled = await Promise.allSettled(writes)
      const stayed = settled.flatMap((result, i) =>
        result.status === 'fulfilled' ? [`a-${String(i).padStart(2, '0')}`] : [],
      )
      expect(settled.flatMap((result, i) => (result.status === 'fulfilled' && i % 3 === 0 ? [i] : []))).toEqual([])
      expect(settled.flatMap((result, i) => (result.status === 'rejected' && i % 3 === 2 ? [i] : []))).toEqual([])
      // One of those that want the shared account succeeded; the others failed because of it.
      expect(settled.filter((result, i) => result.status === 'fulfilled' && i % 3 === 1)).toHaveLength(1)
      expect(await store.read(accounts)).toEqual([...stayed, 'shared'].sort())
    })
  })

  describe('the store', () => {
    const nested: [string, (store: Store) => Promise<unknown>][] = [
      ['a write', (store) => store.write(async () => {})],
      ['a read', (store) => store.read(async () => {})],
      ['a close', (store) => store.close()],
    ]
    test.each(nested)('asserts on %s inside its own write, and rolls back', async (_, call) => {
      const store = await open()
      const write = store.write(async (tx) => {
        await anAccount(tx, 'a')
        await call(store)
      })
      await expect(write).rejects.toThrow(reuse)
      expect(await store.read(accounts)).toEqual([])
    })

    test.each(nested)('asserts on %s inside its own read', async (_, call) => {
      const store = await open()
      await expect(store.read(() => call(store))).rejects.toThrow(reuse)
    })

    test('asserts on a call that returns through a server in this process', async () => {
      const store = await open()
      const failures: string[] = []
      const log = { ...silentLog, error: (detail: object) => void failures.push(JSON.stringify(detail)) }
      const server = openServer({
        services: [],
        log,
        routes: [(table) => table.get('/', async (_, reply) => reply.send(await store.read(accounts)))],
      })
      const ask = () => server.inject({ method: 'GET', path: '/', headers: {} })
      expect((await ask()).status).toBe(200)
      expect((await store.write(ask)).status).toBe(500)
      expect(failures.join()).toMatch(reuse)
      await server.close()
    })

    test('asserts on another store inside its transaction: that call would be repeated when the work is run again', async () => {
      const [store, other] = [await open(), await open()]
      await expect(store.write(() => other.write(async () => {}))).rejects.toThrow(reuse)
    })

    test('finds a query that was started in a write and not awaited, and rolls back', async () => {
      const store = await open()
      const write = store.write(async (tx) => {
        void anAccount(tx, 'a')
      })
      await expect(write).rejects.toThrow('started in this transaction but not awaited')
      expect(await store.read(accounts)).toEqual([])
    })

    test('refuses a query after the end of its transaction', async () => {
      const store = await open()
      let kept: Tx | undefined
      await store.write(async (tx) => {
        kept = tx
      })
      if (!kept) throw new Error('the write did not run')
      await expect(anAccount(kept, 'late')).rejects.toThrow('the transaction has ended')
      expect(await store.read(accounts)).toEqual([])
    })

    test('waits on close for all earlier requests, and refuses later ones', async () => {
      const database = await engine.database()
      const store = await database.open(probeOptions)
      const writes = Array.from({ length: 20 }, (_, i) => store.write((tx) => anAccount(tx, String(i))))
      const reads = Array.from({ length: 20 }, () => store.read(accounts))
      const closed = store.close()
      const late = store.write((tx) => anAccount(tx, 'late'))
      await expect(late).rejects.toSatisfy((error) => isProblem(error, 'STORE_UNAVAILABLE'))
      await closed
      await Promise.all([...writes, ...reads])
      await expect(store.close()).resolves.toBeUndefined()
      if (!engine.keeps) return
      const again = await database.open(probeOptions)
      expect(await again.read(accounts)).toHaveLength(20)
    })
  })

  describe('values', () => {
    const words = ['', 'amy', 'Zoë', '荷官', '🂡', "it's", '%', '\\', '1e5', '007', 'a\nb']
    test('are read as they were written', async () => {
      const store = await open()
      const amounts = [0, -1, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
      const rows = [
        ...words.map((text, i) => ({ id: `w${i}`, words: text, amount: null })),
        ...amounts.map((amount, i) => ({ id: `n${i}`, words: null, amount })),
      ]
      await store.write((tx) => probe(tx).insertInto('probe_values').values(rows).execute())
      const storedRows = await store.read((reader) => probe(reader).selectFrom('probe_values').selectAll().execute())
      expect(storedRows.sort(byId)).toEqual(rows.sort(byId))
    })

    test.each([true, 0.5, Number.NaN, 2 ** 53, 5n, undefined, new Date(0), 'a\0b', Buffer.from('x')])(
      'of other kinds are refused alike: %s',
      async (value) => {
        const store = await open()
        const row = { id: 'a', words: value as string }
        const write = store.write((tx) =>
          sql`insert into probe_values (id, words) values (${row.id}, ${row.words})`.execute(tx.q),
        )
        await expect(write).rejects.toThrow(/cannot be stored in the database|NUL/)
      },
    )

    test('that are computed are whole numbers', async () => {
      const store = await open()
      const row = await store.write(async (tx) => {
        await probe(tx)
          .insertInto('probe_values')
          .values([
            { id: 'a', words: null, amount: 2 },
            { id: 'b', words: null, amount: 3 },
          ])
          .execute()
        return probe(tx)
          .selectFrom('probe_values')
          .select(({ fn, exists, selectFrom }) => [
            fn.countAll<number>().as('count'),
            fn.sum<number>('amount').as('sum'),
            fn.max('amount').as('max'),
            exists(selectFrom('probe_mails').select('id')).as('mail'),
          ])
          .executeTakeFirstOrThrow()
      })
      expect(row).toEqual({ count: 2, sum: 5, max: 3, mail: 0 })
    })

    test('are ordered by their bytes', async () => {
      const store = await open()
      const ids = ['b', 'B', 'a', 'A', 'ä', 'z', 'Z', '_', '-', '10', '9', 'a b', 'ab', '荷']
      await store.write((tx) => Promise.all(ids.map((id) => anAccount(tx, id))))
      const bytewise = [...ids].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      expect(await store.read(accounts)).toEqual(bytewise)
    })

    test('are compared and searched case-sensitively', async () => {
      const store = await open()
      await store.write((tx) => Promise.all(['amy', 'AMY', 'bamy'].map((id) => anAccount(tx, id))))
      const like = (pattern: string) =>
        store.read((reader) =>
          probe(reader).selectFrom('probe_accounts').select('id').where('id', 'like', pattern).execute(),
        )
      expect(await like('am%')).toEqual([{ id: 'amy' }])
      expect(await like('AM%')).toEqual([{ id: 'AMY' }])
    })

    test('include the number of changed rows', async () => {
      const store = await open()
      const counts = await store.write(async (tx) => {
        await Promise.all(['a', 'b', 'c'].map((id) => anAccount(tx, id, '0')))
        const changed = await probe(tx)
          .updateTable('probe_accounts')
          .set({ balance: '1' })
          .where('id', '>', 'a')
          .executeTakeFirst()
        const deletion = await probe(tx).deleteFrom('probe_accounts').where('id', '=', 'a').executeTakeFirst()
        const none = await probe(tx).deleteFrom('probe_accounts').where('id', '=', 'a').executeTakeFirst()
        return [changed.numUpdatedRows, deletion.numDeletedRows, none.numDeletedRows]
      })
      expect(counts).toEqual([2n, 1n, 0n])
    })

    test('that reference no row are refused', async () => {
      const store = await open()
      await expect(store.write((tx) => insertRecord(tx, 1, 'nobody'))).rejects.toThrow(/foreign key/i)
    })
  })
})

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

/** Reads, decides, writes: wrong unless the store serializes it. */
function withdraw(store: Store, id: string, amount: number): Promise<'done' | 'too-little'> {
  return store.write(async (tx) => {
    const balance = Number(await balanceOf(tx, id))
    if (balance < amount) return 'too-little'
    await saveBalance(tx, id, String(balance - amount))
    return 'done'
  })
}

function close(store: Store, id: string, mail: string): Promise<boolean> {
  return store.write(async (tx) => {
    const ticket = await probe(tx)
      .selectFrom('probe_tickets')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (ticket.state !== 'open') return false
    await probe(tx).updateTable('probe_tickets').set({ state: 'closed' }).where('id', '=', id).execute()
    await probe(tx).insertInto('probe_mails').values({ id: mail, ticket: id }).execute()
    return true
  })
}

/** Returns the numbers of the records after one, in order; throws for half a record. */
async function recordsAfter(reader: Parameters<typeof probe>[0], seq: number): Promise<number[]> {
  const rows = await probe(reader)
    .selectFrom('probe_records')
    .select(({ fn }) => ['seq', fn.countAll<number>().as('halves')])
    .where('seq', '>', seq)
    .groupBy('seq')
    .orderBy('seq')
    .limit(7)
    .execute()
  for (const row of rows) expect(row.halves).toBe(2)
  return rows.map((row) => row.seq)
}
