import { setImmediate as nextTurn } from 'node:timers/promises'
import { inspect } from 'node:util'
import pg from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { withoutPassword as shownUrl } from '../../src/db/engines/database-name.ts'
import type { PgPool } from '../../src/db/engines/postgres/connection.ts'
import { postgresEngine } from '../../src/db/engines/postgres/index.ts'
import { openStore, openStoreOn, type Store } from '../../src/db/store.ts'
import { sha256Hex } from '../../src/kit/hmac.ts'
import { postgres } from '../support/databases/engines.ts'
import { postgresUrl } from '../support/databases/postgres.ts'
import { accounts, anAccount, balanceOf, probe, probeOptions, saveBalance } from './probe.ts'

const problem = (code: string, outcome?: string) =>
  expect.objectContaining({
    name: 'Problem',
    code,
    ...(outcome ? { detail: expect.objectContaining({ outcome }) } : {}),
  })

const open = async (poolSize = 10) => (await postgres.database({ poolSize })).open(probeOptions)

describe('a write with conflicting writes', () => {
  test('is run again from the start, as often as necessary', async () => {
    const store = await open(2)
    await store.write((tx) => anAccount(tx, 'a', '0'))
    const [read, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let runs = 0
    const slow = store.write(async (tx) => {
      runs += 1
      const balance = Number(await balanceOf(tx, 'a'))
      read.resolve()
      await gate.promise
      await saveBalance(tx, 'a', String(balance + 1))
    })
    await read.promise
    await store.write((tx) => saveBalance(tx, 'a', '10'))
    gate.resolve()
    await slow
    expect(runs).toBe(2)
    expect(await store.read((reader) => balanceOf(reader, 'a'))).toBe('11')
  })

  test('is run again even if its work turned the conflict into a refusal', async () => {
    const store = await open(2)
    await store.write((tx) => anAccount(tx, 'a', '0'))
    const [read, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = store.write(async (tx) => {
      const balance = Number(await balanceOf(tx, 'a'))
      read.resolve()
      await gate.promise
      await saveBalance(tx, 'a', String(balance + 1)).catch(() => {
        throw new Error('a refusal')
      })
    })
    await read.promise
    await store.write((tx) => saveBalance(tx, 'a', '10'))
    gate.resolve()
    await slow
    expect(await store.read((reader) => balanceOf(reader, 'a'))).toBe('11')
  })

  test('sees what its concurrent duplicate wrote under the same key', async () => {
    const store = await open(2)
    const [read, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const make = async (tx: Parameters<typeof probe>[0], wait: () => Promise<void>) => {
      if ((await accounts(tx)).includes('a')) return 'there already'
      await wait()
      await anAccount(tx, 'a')
      return 'made'
    }
    const slow = store.write((tx) =>
      make(tx, () => {
        read.resolve()
        return gate.promise
      }),
    )
    await read.promise
    expect(await store.write((tx) => make(tx, nextTurn))).toBe('made')
    gate.resolve()
    expect(await slow).toBe('there already')
  })

  test('fails with the original error if the work itself uses a key twice', async () => {
    const store = await open()
    let runs = 0
    const write = store.write(async (tx) => {
      runs += 1
      await anAccount(tx, 'a')
      await anAccount(tx, 'a')
    })
    await expect(write).rejects.toMatchObject({ code: '23505' })
    expect(runs).toBe(4)
  })

  test('gives up if the conflicts never end', async () => {
    let runs = 0
    const store = await storeOn(aPool({ commit: () => ({ code: '40001' }) }))
    const write = store.write(async () => {
      runs += 1
    })
    await expect(write).rejects.toEqual(problem('STORE_BUSY', 'none'))
    expect(runs).toBe(40)
  })
})

describe('a connection that breaks', () => {
  test('in the middle of a write is a refusal, and the next write has a new one', async () => {
    const store = await open(1)
    const write = store.write(async (tx) => {
      await anAccount(tx, 'a')
      await kill(await pidOf(tx))
      await anAccount(tx, 'b')
    })
    await expect(write).rejects.toEqual(problem('STORE_UNAVAILABLE', 'none'))
    await store.write((tx) => anAccount(tx, 'c'))
    expect(await store.read(accounts)).toEqual(['c'])
  })

  test('while idle is not noticed', async () => {
    const store = await open(1)
    const pid = await store.read((reader) => pidOf(reader))
    await kill(pid)
    await store.write((tx) => anAccount(tx, 'a'))
    expect(await store.read(accounts)).toEqual(['a'])
  })

  test('after the commit was sent leaves the outcome unknown, and the work is not run again', async () => {
    let runs = 0
    const store = await storeOn(aPool({ commit: () => ({ code: 'ECONNRESET' }) }))
    const write = store.write(async () => {
      runs += 1
    })
    await expect(write).rejects.toEqual(problem('STORE_UNAVAILABLE', 'unknown'))
    expect(runs).toBe(1)
  })

  test('that the server closes during a commit may have committed, and the work is not run again', async () => {
    let runs = 0
    const store = await storeOn(aPool({ commit: () => ({ code: '57014' }) }))
    const write = store.write(
      async () => {
        runs += 1
      },
      { writeGroup: 'a' },
    )
    await expect(write).rejects.toEqual(problem('STORE_UNAVAILABLE', 'unknown'))
    expect(runs).toBe(1)
  })

  test('at the start of a transaction is replaced once, before any work', async () => {
    let begins = 0
    const pool = aPool({ start: () => (++begins === 3 ? { code: 'EPIPE' } : undefined) })
    const store = await storeOn(pool)
    begins = 2
    expect(await store.write(async () => 'done')).toBe('done')
    expect(begins).toBe(4)
  })

  test('that finds no server is a refusal', async () => {
    const opening = openStore({ ...probeOptions, url: 'postgres://someone:secret-word@127.0.0.1:1/none' })
    await expect(opening).rejects.toEqual(problem('STORE_UNAVAILABLE', 'none'))
  })
})

describe('the password', () => {
  const word = 'p%40ss-w%C3%B6rd-4711'
  const secrets = [word, decodeURIComponent(word), '4711']

  test.each([
    ['of a server that does not run', `postgres://someone:${word}@127.0.0.1:1/none`],
    ['of a host that does not exist', `postgres://someone:${word}@nowhere.invalid/none`],
    ['in an invalid URL', `postgres://someone:${word}@127.0.0.1:99999999/none`],
    ['that makes its URL invalid', `postgres://someone:${word}#x@y:z/none`],
    ['with an invalid schema', `postgres://someone:${word}@127.0.0.1/none?schema=No-Schema`],
    ['with an invalid setting', `postgres://someone:${word}@127.0.0.1:1/none?sslrootcert=/nowhere/${word}`],
    ['as a parameter', `postgres://127.0.0.1:1/none?user=someone&password=${word}`],
  ])('%s appears in no error', async (_, url) => {
    const error = await openStore({ ...probeOptions, url }).catch((caught) => caught)
    expect(error).toEqual(expect.objectContaining({ name: 'Problem' }))
    for (const secret of secrets) expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(secret)
  })

  test('that is wrong appears in no error', async () => {
    const url = new URL(await postgresUrl(inject('postgresDoor')))
    url.password = word
    const error = await openStore({ ...probeOptions, url: url.href }).catch((caught) => caught)
    expect(error).toEqual(problem('STORE_UNAVAILABLE', 'none'))
    for (const secret of secrets) expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(secret)
  })

  test.each([
    ['postgres://u:secret@h:1/d?schema=x', 'postgres://u:***@h:1/d?schema=x'],
    ['postgresql://u:se@cret@h/d', 'postgresql://u:***@h/d'],
    ['postgres://h/d?user=u&password=secret&x=1', 'postgres://h/d?user=u&password=***&x=1'],
    ['postgres://u@h/d', 'postgres://u@h/d'],
    ['/some/where.sqlite', '/some/where.sqlite'],
    [':memory:', ':memory:'],
  ])('is not shown with %s', (url, shown) => {
    expect(shownUrl(url)).toBe(shown)
  })
})

test('worlds in separate schemas do not see each other', async () => {
  const [one, other] = [await open(), await open()]
  await one.write((tx) => anAccount(tx, 'a'))
  expect(await other.read(accounts)).toEqual([])
})

test('more requests may run at once than there are connections', async () => {
  const store = await open(2)
  await Promise.all(Array.from({ length: 60 }, (_, i) => store.write((tx) => anAccount(tx, `a${i}`))))
  const all = await Promise.all(Array.from({ length: 60 }, () => store.read(accounts)))
  expect(all.every((ids) => ids.length === 60)).toBe(true)
})

test('repeated statements are prepared, and return the same results', async () => {
  const store = await open(1)
  for (const id of ['a', 'b', 'c', 'd']) await store.write((tx) => anAccount(tx, id))
  for (let i = 0; i < 4; i++) expect(await store.read(accounts)).toEqual(['a', 'b', 'c', 'd'])
  const prepared = await store.read(async (reader) => {
    const rows = await probe(reader)
      .withTables<{ pg_prepared_statements: { statement: string } }>()
      .selectFrom('pg_prepared_statements')
      .select('statement')
      .execute()
    return rows.map((row) => row.statement)
  })
  expect(prepared).toContainEqual(expect.stringContaining('insert into "probe_accounts"'))
})

test('a statement whose table was changed by another program is prepared again', async () => {
  const database = await postgres.database({ poolSize: 1 })
  const store = await database.open(probeOptions)
  const all = () => store.write((tx) => probe(tx).selectFrom('probe_mails').selectAll().execute())
  for (let i = 0; i < 4; i++) expect(await all()).toEqual([])
  const other = await database.engine()
  await other.alone((q) => q.schema.alterTable('probe_mails').addColumn('more', 'text').execute())
  expect(await all()).toEqual([])
})

async function pidOf(reader: Parameters<typeof probe>[0]): Promise<number> {
  const row = await probe(reader)
    .selectNoFrom(({ fn }) => fn<number>('pg_backend_pid', []).as('pid'))
    .executeTakeFirstOrThrow()
  return row.pid
}

test('processes on one database exchange messages, not with themselves, and continue after the listening connection is lost', async () => {
  const database = await postgres.database()
  const [one, two] = [await database.open(probeOptions), await database.open(probeOptions)]
  const received: string[] = []
  const stop = one.hear((text) => received.push(text))
  const sendAndCheck = async (text: string) => {
    await two.tell(text)
    return received.includes(text)
  }
  // A message without a listener is lost.
  await expect.poll(() => sendAndCheck('hello')).toBe(true)
  await one.tell('to myself')
  await two.tell('x'.repeat(10_000))
  const client = new pg.Client(await postgresUrl(inject('postgresDoor')))
  await client.connect()
  onTestFinished(() => client.end())
  const schema = new URL(database.url ?? '').searchParams.get('schema') ?? ''
  const listening = `listen "countroom ${sha256Hex(schema).slice(0, 32)}"`
  const { rowCount } = await client.query(
    'select pg_terminate_backend(pid, 5000) from pg_stat_activity where query = $1',
    [listening],
  )
  expect(rowCount).toBe(1)
  await expect.poll(() => sendAndCheck('again')).toBe(true)
  expect(new Set(received)).toEqual(new Set(['hello', 'again']))
  stop()
  await two.tell('nobody hears')
  await expect
    .poll(async () => (await client.query('select 1 from pg_stat_activity where query = $1', [listening])).rowCount)
    .toBe(0)
  expect(received).not.toContain('nobody hears')
})

/** Ends a session from outside, and waits until it has ended. */
async function kill(pid: number): Promise<void> {
  const client = new pg.Client(await postgresUrl(inject('postgresDoor')))
  await client.connect()
  await client.query('select pg_terminate_backend($1, 5000)', [pid])
  await client.end()
}

/** A pool whose server accepts every statement, except the responses that the test sets by a statement's first word. */
function aPool(errors: Record<string, () => { code: string } | undefined>): PgPool {
  return {
    async connect() {
      return {
        async query({ text }) {
          const word = /^\w*/.exec(text)?.[0] ?? ''
          const error = errors[word]?.()
          if (error) throw Object.assign(new Error(`the server said ${error.code}`), error)
          return { command: word.toUpperCase(), rowCount: 0, rows: [] }
        },
        release() {},
      }
    },
    async end() {},
  }
}

async function storeOn(pool: PgPool): Promise<Store> {
  const engine = postgresEngine(pool, 1, { schema: undefined, shown: 'nowhere', scrub: (text) => text })
  const store = await openStoreOn(engine, { migrations: { of: 'world', steps: [] }, now: () => 0 })
  onTestFinished(() => store.close())
  return store
}
