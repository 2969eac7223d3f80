import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { access } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { nextOf } from '../../src/db/counter.ts'
import { replaceSqlite } from '../../src/db/engines/sqlite/backup.ts'
import { openSqlite } from '../../src/db/engines/sqlite/index.ts'
import { retryWhileBusy } from '../../src/db/engines/sqlite/transaction.ts'
import { openStore, openStoreOn, type Store } from '../../src/db/store.ts'
import { startChild } from '../support/databases/children.ts'
import { sqliteFile } from '../support/databases/engines.ts'
import { accounts, anAccount, insertRecord, probe, probeOptions } from './probe.ts'

const problem = (code: string) => expect.objectContaining({ name: 'Problem', code })

async function aFile(): Promise<{ path: string; open: () => Promise<Store> }> {
  const database = await sqliteFile.database()
  if (!database.url) throw new Error('a file has a path')
  return { path: database.url, open: () => database.open(probeOptions) }
}

describe('the commits of a file', () => {
  test('are shared by writes that wait at the same time', async () => {
    const { path, open } = await aFile()
    const store = await open()
    await store.write((tx) => anAccount(tx, 'a'))
    const before = commitsIn(path)
    await Promise.all(Array.from({ length: 64 }, (_, i) => store.write((tx) => anAccount(tx, `b${i}`))))
    expect(commitsIn(path) - before).toBe(1)
    expect(await store.read(accounts)).toHaveLength(65)
  })

  test('are shared by writes from the same turn of the event loop, each with its own result', async () => {
    const { path, open } = await aFile()
    const store = await open()
    const before = commitsIn(path)
    const write = (i: number) =>
      new Promise((resolve, reject) => {
        setImmediate(() => store.write((tx) => anAccount(tx, `a${i}`)).then(resolve, reject))
      })
    await Promise.all(Array.from({ length: 10 }, (_, i) => write(i)))
    expect(commitsIn(path) - before).toBe(1)
  })

  test('contain the others when the first of their writes fails', async () => {
    const { path, open } = await aFile()
    const store = await open()
    const before = commitsIn(path)
    const write = (id: string, fails: boolean) =>
      store.write(async (tx) => {
        await anAccount(tx, id)
        if (fails) throw new Error(`not ${id}`)
      })
    const settled = await Promise.allSettled([write('a', true), write('b', false), write('c', true), write('d', false)])
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
    expect(await store.read(accounts)).toEqual(['b', 'd'])
    expect(commitsIn(path) - before).toBe(1)
  })

  test('have no savepoint for their first write, because SQLite copies all pages changed in one', async () => {
    const { open } = await aFile()
    const store = await open()
    let isReleased = false
    const release = store.write(async ({ q }) => {
      await sql`release job`.execute(q)
      isReleased = true
    })
    await expect(release).rejects.toThrow('no such savepoint: job')
    expect(isReleased).toBe(false)
    await store.write((tx) => anAccount(tx, 'a'))
    expect(await store.read(accounts)).toEqual(['a'])
  })

  test('are one for each write that waits for the previous one', async () => {
    const { path, open } = await aFile()
    const store = await open()
    const before = commitsIn(path)
    for (let i = 0; i < 5; i++) await store.write((tx) => anAccount(tx, `a${i}`))
    expect(commitsIn(path) - before).toBe(5)
  })

  test('precede the acknowledgement of the writes they contain', async () => {
    const { path, open } = await aFile()
    const store = await open()
    const before = commitsIn(path)
    const seen: number[] = []
    const writes = Array.from({ length: 10 }, (_, i) =>
      store.write((tx) => anAccount(tx, `a${i}`)).then(() => seen.push(commitsIn(path) - before)),
    )
    await Promise.all(writes)
    expect(seen).toEqual(Array(10).fill(1))
  })

  test('contain at most 100 writes, so that the first need not wait for all', async () => {
    const { path, open } = await aFile()
    const store = await open()
    const before = commitsIn(path)
    await Promise.all(Array.from({ length: 250 }, (_, i) => store.write((tx) => anAccount(tx, `a${i}`))))
    expect(commitsIn(path) - before).toBe(3)
  })

  test('that fail fail for all they contain, the refused ones too, and leave no change', async () => {
    const { open } = await aFile()
    const store = await open()
    const settled = await Promise.allSettled([
      store.write((tx) => anAccount(tx, 'a')),
      store.write(async (tx) => {
        // Foreign keys are checked only by the commit: the only way to make it fail from here.
        await sql`pragma defer_foreign_keys = on`.execute(tx.q)
        await insertRecord(tx, 1, 'nobody')
      }),
      store.write(() => Promise.reject(new Error('refused'))),
    ])
    for (const result of settled) expect(String(result.status === 'rejected' && result.reason)).toMatch(/foreign key/i)
    expect(await store.read(accounts)).toEqual([])
    await store.write((tx) => anAccount(tx, 'b'))
    expect(await store.read(accounts)).toEqual(['b'])
  })

  test('do not happen on a full disk: a failed write left nothing, an acknowledged one everything', async () => {
    const { open } = await aFile()
    const store = await open()
    // As large as the file is now.
    const limit = (pages: number) => store.write((tx) => sql.raw(`pragma max_page_count = ${pages}`).execute(tx.q))
    await limit(1)
    const large = 'x'.repeat(100_000)
    const settled = await Promise.allSettled([
      store.write((tx) => anAccount(tx, 'a')),
      store.write((tx) => anAccount(tx, 'b', large)),
      store.write((tx) => anAccount(tx, 'c')),
    ])
    expect(settled[1]).toEqual({ status: 'rejected', reason: problem('STORE_UNAVAILABLE') })
    const acknowledged = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(await store.read(accounts)).toEqual(acknowledged)
    await limit(1_000_000)
    await store.write((tx) => anAccount(tx, 'd', large))
    expect(await store.read(accounts)).toEqual([...acknowledged, 'd'])
  })

  test('are copied from the log when it has as many pages as its opener allows', async () => {
    const grown = async (logPages?: number) => {
      const { path } = await aFile()
      const store = await openStore({ url: path, ...probeOptions, ...(logPages === undefined ? {} : { logPages }) })
      // 4,096 bytes of an account fill a page.
      for (let i = 0; i < 30; i++)
        await store.write(async (tx) => {
          for (let j = 0; j < 50; j++) await anAccount(tx, `${i}-${j}-${'x'.repeat(4096)}`)
        })
      const { size } = statSync(`${path}-wal`)
      await store.close()
      return size
    }
    expect(await grown()).toBeLessThan(2_000 * 4120)
    expect(await grown(4_000)).toBeGreaterThan(3_000 * 4120)
  })

  test('sync to the disk, with a log that does not block readers', async () => {
    const { open } = await aFile()
    const store = await open()
    const pragmas = await store.write(async ({ q }) => {
      const one = async (name: string) =>
        Object.values((await sql`${sql.raw(`pragma ${name}`)}`.execute(q)).rows[0] ?? {})[0]
      return [await one('journal_mode'), await one('synchronous'), await one('foreign_keys')]
    })
    expect(pragmas).toEqual(['wal', 2, 1])
  })
})

describe('a file', () => {
  test('that this process has open is not opened a second time, under any name', async () => {
    const { path, open } = await aFile()
    const store = await open()
    const link = join(dirname(path), 'link.sqlite')
    symlinkSync(path, link)
    for (const name of [path, link, relative(process.cwd(), path)])
      await expect(openStore({ ...probeOptions, url: name })).rejects.toEqual(problem('STORE_IN_USE'))
    await store.write((tx) => anAccount(tx, 'a'))
    await store.close()
    const again = await openStore({ ...probeOptions, url: link })
    expect(await again.read(accounts)).toEqual(['a'])
    await again.close()
  })

  test('that could not be opened can be opened when its error is fixed', async () => {
    const { path, open } = await aFile()
    writeFileSync(
      path,
      'this is no database, but a text that is longer than a header of one hundred bytes would be: a text',
    )
    for (let i = 0; i < 2; i++) await expect(open()).rejects.toEqual(problem('STORE_FOREIGN'))
    rmSync(path)
    const store = await open()
    expect(await store.read(accounts)).toEqual([])
  })

  test('in a missing folder is refused', async () => {
    const { path } = await aFile()
    const url = join(dirname(path), 'nowhere', 'x.sqlite')
    await expect(openStore({ ...probeOptions, url })).rejects.toEqual(problem('STORE_UNAVAILABLE'))
    expect(existsSync(dirname(url))).toBe(false)
  })

  test('that is a folder is refused', async () => {
    const { path, open } = await aFile()
    mkdirSync(path)
    await expect(open()).rejects.toEqual(problem('STORE_FOREIGN'))
  })

  test('is accessible by its owner only, with all files next to it', async () => {
    const { path, open } = await aFile()
    const store = await open()
    await store.write((tx) => anAccount(tx, 'a'))
    for (const name of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(name).mode & 0o777).toBe(0o600)
  })

  test('is one complete file after a close', async () => {
    const { path, open } = await aFile()
    const store = await open()
    await store.write((tx) => anAccount(tx, 'a'))
    await store.read(accounts)
    await store.close()
    expect(existsSync(`${path}-wal`)).toBe(false)
    const copy = `${path}.copy`
    linkSync(path, copy)
    const db = new Database(copy, { readonly: true })
    expect(db.prepare('select id from probe_accounts').all()).toEqual([{ id: 'a' }])
    db.close()
  })

  test('answers reads while a write in this process is unfinished', async () => {
    const { open } = await aFile()
    const store = await open()
    const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const write = store.write(async (tx) => {
      await anAccount(tx, 'a')
      begun.resolve()
      await finish.promise
    })
    await begun.promise
    for (let i = 0; i < 10; i++) expect(await store.read(accounts)).toEqual([])
    finish.resolve()
    await write
    expect(await store.read(accounts)).toEqual(['a'])
  })

  test('serves more reads at once than it has connections', async () => {
    const { open } = await aFile()
    const store = await open()
    await store.write((tx) => anAccount(tx, 'a'))
    const all = await Promise.all(Array.from({ length: 50 }, () => store.read(accounts)))
    expect(all).toEqual(Array(50).fill(['a']))
  })

  test('limits its prepared statements and still returns the right results', async () => {
    const { open } = await aFile()
    const store = await open()
    await store.write((tx) => anAccount(tx, 'a'))
    const total = await store.read(async (reader) => {
      let count = 0
      for (let length = 1; length <= 600; length++) {
        const ids = Array.from({ length }, (_, i) => (i === 0 ? 'a' : `x${i}`))
        count += (await probe(reader).selectFrom('probe_accounts').select('id').where('id', 'in', ids).execute()).length
      }
      return count
    })
    expect(total).toBe(600)
  })
})

describe('two processes on a file', () => {
  test('wait for each other to write, and only to write', async () => {
    const { path, open } = await aFile()
    const store = await open()
    const other = startChild('hold', path)
    await other.waitForLines(1)
    let written = false
    const write = store
      .write((tx) => anAccount(tx, 'ours'))
      .then(() => {
        written = true
      })
    // This process continues during this time: reads return the state before the other's write.
    for (let i = 0; i < 100; i++) expect(await store.read(accounts)).toEqual([])
    expect(written).toBe(false)
    other.tell()
    await write
    await other.done()
    expect(await store.read(accounts)).toEqual(['held', 'ours'])
  })

  test('number their records without gaps or duplicates', async () => {
    const { path, open } = await aFile()
    const store = await open()
    const others = [startChild('count', path, '100'), startChild('count', path, '100')]
    const ours: number[] = []
    for (let i = 0; i < 100; i++) ours.push(await store.write((tx) => nextOf(tx, 'records')))
    for (const other of others) await other.done()
    const all = [...ours, ...others.flatMap((other) => other.lines.map(Number))].sort((a, b) => a - b)
    expect(all).toEqual(Array.from({ length: 300 }, (_, i) => i + 1))
  })

  test('may both be the first to open it', async () => {
    for (let round = 0; round < 3; round++) {
      const { path, open } = await aFile()
      const others = Array.from({ length: 3 }, () => startChild('count', path, '5'))
      for (const other of others) await other.done()
      expect(await (await open()).write((tx) => nextOf(tx, 'records'))).toBe(16)
    }
  })

  test('try again after one of them was stopped for longer than it waits', async () => {
    const { now } = performance
    let stoppedMs = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + stoppedMs)
    onTestFinished(() => clock.mockRestore())
    const attempt = () => {
      if (stoppedMs > 0) return 'done'
      stoppedMs = 60_000
      throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
    }
    expect(await retryWhileBusy(10_000, attempt)).toBe('done')
  })

  test('give up in the end when one blocks the other, and report it', async () => {
    const { path } = await aFile()
    const store = await openStoreOn(await openSqlite(path, { poolSize: 1, busyTimeoutMs: 50 }), probeOptions)
    const other = startChild('hold', path)
    await other.waitForLines(1)
    await expect(store.write((tx) => anAccount(tx, 'ours'))).rejects.toEqual(problem('STORE_BUSY'))
    other.tell()
    await other.done()
    await store.write((tx) => anAccount(tx, 'ours'))
    expect(await store.read(accounts)).toEqual(['held', 'ours'])
    await store.close()
  })
})

test('a process that is killed has lost no acknowledged write and left no partial one', async () => {
  const { path, open } = await aFile()
  const first = await open()
  await first.write((tx) => anAccount(tx, 'a'))
  await first.close()
  let acknowledged = 0
  for (let round = 0; round < 12; round++) {
    const child = startChild('acknowledge', path)
    await child.waitForLines(1 + ((round * 37) % 150))
    await child.kill()
    const store = await open()
    const rows = await store.read((reader) =>
      probe(reader)
        .selectFrom('probe_records')
        .select(({ fn }) => ['seq', fn.countAll<number>().as('halves')])
        .groupBy('seq')
        .orderBy('seq')
        .execute(),
    )
    await store.close()
    expect(rows.filter((row) => row.halves !== 2)).toEqual([])
    expect(rows.map((row) => row.seq)).toEqual(rows.map((_, i) => i + 1))
    const there = new Set(rows.map((row) => row.seq))
    expect(child.lines.map(Number).filter((seq) => !there.has(seq))).toEqual([])
    acknowledged += child.lines.length
  }
  expect(acknowledged).toBeGreaterThan(500)
})

test.each([
  ['SQLite', ':memory:', 'better-sqlite3'],
  ['PostgreSQL', 'postgres://nobody@127.0.0.1:1/none', 'pg'],
])('a program on %s loads no other driver', async (_, url, driver) => {
  const child = startChild('drivers', url)
  await child.done()
  expect(child.lines).toEqual([driver])
})

test.each(['mysql://localhost/x', 'file:///tmp/x.sqlite', ''])('the URL %j is refused as unknown', async (url) => {
  await expect(openStore({ ...probeOptions, url })).rejects.toEqual(problem('STORE_URL'))
})

/**
 * Returns the number of commits in the log of a database. Each page in it has a header of 24 bytes. The header of a
 * commit's last page contains the size of the database, the others 0. Pages of an earlier round of the log have another
 * salt.
 */
function commitsIn(path: string): number {
  const log = readFileSync(`${path}-wal`)
  if (log.length < 32) return 0
  const pageSize = log.readUInt32BE(8)
  const salt = log.subarray(16, 24)
  let commits = 0
  for (let at = 32; at + 24 + pageSize <= log.length; at += 24 + pageSize) {
    if (!log.subarray(at + 8, at + 16).equals(salt)) break
    if (log.readUInt32BE(at + 4) !== 0) commits += 1
  }
  return commits
}

test('a replacement waits for a writer, and never ends without having replaced anything', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-replace-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [from, to] = [join(folder, 'from.db'), join(folder, 'to.db')]
  const content = (path: string) => {
    const db = new Database(path)
    db.pragma('journal_mode = wal')
    db.exec(`create table content (name text); insert into content values ('${path === from ? 'new' : 'old'}')`)
    return db
  }
  content(from).close()
  const writer = content(to)
  writer.exec('begin immediate')
  const replaced = replaceSqlite(from, to)
  // The first attempt finds the file locked: it begins after the driver has looked for the file.
  for (let i = 0; i < 20; i++) {
    await access(to)
    await new Promise(setImmediate)
  }
  writer.exec('commit')
  await replaced
  expect(writer.prepare('select name from content').get()).toEqual({ name: 'new' })
  writer.close()
})
