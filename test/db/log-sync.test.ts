import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { SqliteConnection } from '../../src/db/engines/sqlite/connection.ts'
import { createQueue } from '../../src/db/engines/sqlite/group-commit.ts'
import { logSyncOf } from '../../src/db/engines/sqlite/log-sync.ts'
import type { Tables } from '../../src/db/schema/index.ts'

/** A queue on a file whose log is synced when the test says so. */
function aQueue() {
  const path = aPath()
  const db = new Database(path)
  onTestFinished(() => void db.close())
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = full')
  db.exec('create table t (id)')
  const syncs: PromiseWithResolvers<void>[] = []
  const sync = () => {
    const next = Promise.withResolvers<void>()
    syncs.push(next)
    return next.promise
  }
  const queue = createQueue(new SqliteConnection(db, 1000), { sync, close: async () => {} })
  const insert = async (q: Kysely<Tables>) => {
    await sql`insert into t values (1)`.execute(q)
    const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(q)
    return rows[0]?.synchronous
  }
  const rows = () => db.prepare('select * from t').all().length
  return { queue, syncs, insert, rows }
}

function aPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'test.sqlite')
}

const turns = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('a write that syncs later is acknowledged after its sync, and the next one runs before', async () => {
  const { queue, syncs, insert, rows } = aQueue()
  const order: string[] = []
  const first = queue.add(insert, { syncsLater: true }).then(() => order.push('first'))
  await turns()
  const second = queue.add(insert, { syncsLater: true }).then(() => order.push('second'))
  await turns()
  expect([rows(), order, syncs.length]).toEqual([2, [], 2])
  syncs[0]?.resolve()
  await first
  await turns()
  expect(order).toEqual(['first'])
  const idle = queue.idle().then(() => order.push('idle'))
  await turns()
  expect(order).toEqual(['first'])
  syncs[1]?.resolve()
  await Promise.all([second, idle])
  expect(order).toEqual(['first', 'second', 'idle'])
})

test('any other write still syncs with its commit', async () => {
  const { queue, syncs, insert } = aQueue()
  expect(await queue.add(insert)).toBe(2)
  const later = queue.add(insert, { syncsLater: true })
  await turns()
  expect(await queue.add(insert)).toBe(2)
  syncs[0]?.resolve()
  expect([await later, syncs.length]).toEqual([1, 1])
})

test('a write whose sync fails has an unknown outcome, and no later one is accepted', async () => {
  const { queue, syncs, insert, rows } = aQueue()
  const first = queue.add(insert, { syncsLater: true })
  await turns()
  syncs[0]?.reject(new Error('EIO'))
  const failed = { code: 'STORE_UNAVAILABLE', detail: { outcome: 'unknown' }, cause: { message: 'EIO' } }
  await expect(first).rejects.toMatchObject(failed)
  await expect(queue.add(insert)).rejects.toMatchObject(failed)
  await expect(queue.add(insert, { syncsLater: true })).rejects.toMatchObject(failed)
  expect(rows()).toBe(1)
  await queue.idle()
})

test('the log of a file is synced, and after a failure never again', async () => {
  const path = aPath()
  const missing = logSyncOf(path)
  await expect(missing.sync()).rejects.toMatchObject({ code: 'ENOENT' })
  const db = new Database(path)
  db.pragma('journal_mode = wal')
  db.exec('create table t (id)')
  await expect(missing.sync()).rejects.toMatchObject({ code: 'ENOENT' })
  await missing.close()
  const log = logSyncOf(path)
  await Promise.all([log.sync(), log.sync(), log.sync()])
  const last = log.sync()
  await log.close()
  await last
  db.close()
})
