import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { book as bookMigrations } from '../../../src/db/migrations/book/index.ts'
import { openBook } from '../../../src/operator/book/book.ts'
import { backUpBook, copyBook, type NewBookWork, restoreBook } from '../../../src/operator/book/copies/copies.ts'
import { postgres } from '../../support/databases/engines.ts'
import { aFolder, pull } from '../bet-support.ts'
import { aCountRoom } from '../reconcile-support.ts'

const work: NewBookWork = {
  now: () => Date.UTC(2026, 2, 11),
  signal: new AbortController().signal,
  progress: { pages: () => {}, rows: { begin: () => {}, copied: () => {}, checked: () => {} } },
  entry: {
    ...{ operator: 'dana', osUser: 'dana', host: 'here', profile: 'local', run: 'run-1' },
    ...{ command: 'book copy', subject: '--to copy.db', outcome: 'ok' },
  },
}

/** A room whose bets are in a book in a file, and in CSV files. */
async function aSyncedBook() {
  const folder = aFolder()
  const room = await aCountRoom({ start: '2026-03-10T04:00:00Z' })
  await room.fund('amy', 'bob')
  for (let round = 0; round < 5; round++) await room.bet({ amy: '10', bob: '20' })
  const url = join(folder, 'book.db')
  const sync = async (bookUrl: string, out: string) => {
    const book = await openBook(bookUrl, room.now)
    try {
      const { error, summary } = await pull(room, join(folder, out), { book, bookUrl })
      expect(error).toBeUndefined()
      return summary
    } finally {
      await book.close()
    }
  }
  await sync(url, 'bets')
  return { room, folder, url, sync, at: (name: string) => join(folder, name) }
}

describe('a backup', () => {
  test('is one private file with everything, and leaves no other file', async () => {
    const { folder, url, at } = await aSyncedBook()
    const result = await backUpBook(work, { url, file: at('backup.db'), force: false })
    expect(result.tables.find(({ table }) => table === 'book_revisions')?.rows).toBe(10)
    expect(statSync(at('backup.db')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).filter((name) => name.includes('draft') || name.startsWith('backup.db-'))).toEqual([])
    const restored = await restoreBook(work, { file: at('backup.db'), to: at('restored.db'), force: false })
    expect(restored.tables).toEqual(result.tables)
  })

  test('is one snapshot while the book is written, and does not restart with each write', async () => {
    const { url, at } = await aSyncedBook()
    const book = await openBook(url)
    let writes = 0
    const write = () =>
      book.store.write(({ q }) =>
        q
          .insertInto('book_alarms')
          .values({
            ...{ id: `a${writes++}`, kind: 'gap', found_at: 1, slip_id: null, rev: null },
            ...{ message: 'x'.repeat(2000), detail: '{}' },
          })
          .execute(),
      )
    for (let i = 0; i < 400; i++) await write()
    const before = writes
    let steps = 0
    const progress = {
      ...work.progress,
      pages: () => {
        steps += 1
        void write()
      },
    }
    const result = await backUpBook({ ...work, progress }, { url, file: at('backup.db'), force: false })
    await book.close()
    expect(steps).toBeLessThan(50)
    expect(writes).toBeGreaterThan(before)
    expect(result.tables.find(({ table }) => table === 'book_alarms')?.rows).toBe(before)
  })

  test('of a book on PostgreSQL is a file too, with the same rows', async () => {
    const { url, at, folder } = await aSyncedBook()
    const database = await postgres.database()
    const address = database.url
    const copied = await copyBook(work, { url, to: address, force: false })
    const backup = await backUpBook(work, { url: address, file: at('backup.db'), force: false })
    const copiedRows = (tables: typeof backup.tables) => tables.filter(({ table }) => !table.startsWith('book_audit'))
    expect(copiedRows(backup.tables)).toEqual(copiedRows(copied.tables))
    expect(backup.tables.find(({ table }) => table === 'book_audit')?.rows).toBe(1)
    expect(readdirSync(folder).filter((name) => name.includes('draft'))).toEqual([])
    expect(JSON.stringify(backup)).not.toContain(new URL(address).password || 'no password')
  })

  test('never overwrites, and with force replaces a book only', async () => {
    const { url, at } = await aSyncedBook()
    writeFileSync(at('mine.txt'), 'mine')
    const to = (file: string, force: boolean) => backUpBook(work, { url, file: at(file), force })
    await expect(to('mine.txt', false)).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    await expect(to('mine.txt', true)).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    expect(readFileSync(at('mine.txt'), 'utf8')).toBe('mine')
    await expect(to('book.db', true)).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    await to('backup.db', false)
    await expect(to('backup.db', false)).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    await to('backup.db', true)
    await expect(to('nowhere/backup.db', false)).rejects.toMatchObject({ code: 'INVALID_USAGE' })
  })
})

describe('a restore', () => {
  test('continues with the sync at the cursor of the backup, and produces the same files', async () => {
    const { room, url, at, sync } = await aSyncedBook()
    await backUpBook(work, { url, file: at('backup.db'), force: false })
    for (let round = 0; round < 3; round++) await room.bet({ amy: '7' })
    await sync(url, 'bets')
    await restoreBook(work, { file: at('backup.db'), to: at('restored.db'), force: false })
    const summary = await sync(at('restored.db'), 'again')
    expect(summary).toMatchObject({ rows: 13, added: 3, duplicates: 0 })
    for (const file of ['bets-2026-03.csv', 'manifest.json'])
      expect(readFileSync(join(at('again'), file), 'utf8')).toBe(readFileSync(join(at('bets'), file), 'utf8'))
  })

  test('keeps the book that it replaces, and refuses one that is in use', async () => {
    const { url, at, sync, room } = await aSyncedBook()
    await backUpBook(work, { url, file: at('backup.db'), force: false })
    await room.bet({ amy: '7' })
    await sync(url, 'bets')
    await expect(restoreBook(work, { file: at('backup.db'), to: url, force: false })).rejects.toMatchObject({
      code: 'FILE_EXISTS',
    })
    const user = new Database(url)
    user.exec('begin; select * from book_owner')
    await expect(restoreBook(work, { file: at('backup.db'), to: url, force: true })).rejects.toMatchObject({
      code: 'FILE_EXISTS',
      message: expect.stringContaining('in use'),
    })
    user.close()
    const { kept } = await restoreBook(work, { file: at('backup.db'), to: url, force: true })
    const rowsOf = (file: string) => new Database(file).prepare('select count(*) as n from book_revisions').get()
    expect(rowsOf(url)).toEqual({ n: 10 })
    expect(rowsOf(kept ?? '')).toEqual({ n: 11 })
    expect(await sync(url, 'later')).toMatchObject({ rows: 11, added: 1 })
  })

  test('refuses a file that is no backup, and a damaged one, and leaves no book', async () => {
    const { url, at } = await aSyncedBook()
    writeFileSync(at('text.db'), 'not a database at all, but long enough to look like one')
    const other = new Database(at('other.db'))
    other.exec('create table x (y); insert into x values (1)')
    other.close()
    await backUpBook(work, { url, file: at('backup.db'), force: false })
    const bytes = readFileSync(at('backup.db'))
    bytes.fill(0x5a, 8192, 40_960)
    writeFileSync(at('torn.db'), bytes)
    const to = (file: string) => restoreBook(work, { file: at(file), to: at('new.db'), force: false })
    await expect(to('text.db')).rejects.toMatchObject({ code: 'INVALID_FILE' })
    await expect(to('other.db')).rejects.toMatchObject({ code: expect.stringMatching(/INVALID_FILE|STORE_FOREIGN/) })
    await expect(to('torn.db')).rejects.toMatchObject({ code: expect.stringMatching(/INVALID_FILE|STORE_UNAVAILABLE/) })
    await expect(to('missing.db')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(existsSync(at('new.db'))).toBe(false)
    expect(readdirSync(at('.')).filter((name) => name.includes('draft'))).toEqual([])
  })

  test('only reads the backup, also one of an older version', async () => {
    const { at } = await aSyncedBook()
    const old = { ...bookMigrations, steps: bookMigrations.steps.slice(0, 9) }
    const { openStore } = await import('../../../src/db/store.ts')
    const store = await openStore({ url: at('old.db'), migrations: old, now: () => 1 })
    await store.close()
    const before = readFileSync(at('old.db'))
    const { tables } = await restoreBook(work, { file: at('old.db'), to: at('new.db'), force: false })
    expect(readFileSync(at('old.db')).equals(before)).toBe(true)
    expect(tables.map(({ table }) => table)).toContain('book_repairs')
  })
})

describe('a copy', () => {
  test('to PostgreSQL and back continues with the sync, without a gap', async () => {
    const { room, url, at, sync } = await aSyncedBook()
    const address = (await postgres.database()).url
    const there = await copyBook(work, { url, to: address, force: false })
    await room.bet({ amy: '7', bob: '8' })
    expect(await sync(address, 'bets')).toMatchObject({ rows: 12, added: 2, duplicates: 0, position: 'same' })
    const back = await copyBook(work, { url: address, to: at('back.db'), force: false })
    expect(back.rows).toBeGreaterThan(there.rows)
    await room.bet({ bob: '9' })
    expect(await sync(at('back.db'), 'bets')).toMatchObject({ rows: 13, added: 1, duplicates: 0, position: 'same' })
    const fresh = await sync(at('fresh.db'), 'fresh')
    expect(fresh?.rows).toBe(13)
    for (const file of ['bets-2026-03.csv', 'manifest.json'])
      expect(readFileSync(join(at('bets'), file), 'utf8')).toBe(readFileSync(join(at('fresh'), file), 'utf8'))
  })

  test('refuses a database that has rows, also with force, and the book itself', async () => {
    const { url, at } = await aSyncedBook()
    const address = (await postgres.database()).url
    await copyBook(work, { url, to: address, force: false })
    for (const force of [false, true])
      await expect(copyBook(work, { url, to: address, force })).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    await expect(copyBook(work, { url, to: at('./book.db'), force: true })).rejects.toMatchObject({
      code: 'FILE_EXISTS',
    })
  })
})
