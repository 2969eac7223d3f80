import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { postgresUrl } from '../support/databases/postgres.ts'
import { type Home, noTerminal, run, runJson, runOnTerminal, runSpawned } from '../support/program/cli.ts'
import { clearOfMidnight } from '../support/worlds/days.ts'
import { servedBeside } from '../support/worlds/served.ts'

beforeEach(() => clearOfMidnight('Asia/Taipei'))

/** A home with a world, three days of bets, and a book with its files. */
async function aHomeWithBook() {
  const { home } = await servedBeside()
  const at = (name: string) => join(home.folder, name)
  await done(home, ['sim', 'play', '--rounds', '40', '--players', '4', '--days', '3'])
  await done(home, ['bets', 'sync', '--out', 'bets', '--book', 'book.db'])
  return { home, at, files: () => filesOf(at('bets')) }
}

async function done(home: Home, args: readonly string[]) {
  const result = await run(args, { home })
  expect({ args, code: result.code, complaint: result.code === 0 ? '' : result.stderr }).toMatchObject({ code: 0 })
  return result
}

const filesOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )

const drafts = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.draft'))

/** Removes a row and changes another one, on yesterday in the tenant's zone. */
function spoil(path: string, day: { from: string; to: string }): void {
  const db = new Database(path)
  const rows = db
    .prepare('select place, record from book_revisions where settled_at >= ? and settled_at < ? order by place')
    .all(Date.parse(day.from), Date.parse(day.to)) as { place: number; record: string }[]
  const [, lost, changed] = rows
  if (!lost || !changed) throw new Error('the day has too few rows')
  db.prepare('delete from book_revisions where place = ?').run(lost.place)
  const record = { ...JSON.parse(changed.record), payout: '12345' }
  db.prepare('update book_revisions set record = ? where place = ?').run(JSON.stringify(record), changed.place)
  db.close()
}

/** Runs a command and kills it after a random time, until one run finishes. Returns the number of killed runs. */
async function killedAtRandom(home: Home, args: readonly string[], checkAfter: () => void): Promise<number> {
  let killed = 0
  for (let tries = 0; tries < 8; tries++) {
    const delay = 150 + Math.random() * 900
    const { code } = await runSpawned(args, {
      home,
      started: (child) => void setTimeout(() => child.kill('SIGKILL'), delay).unref(),
    })
    checkAfter()
    if (code === 0) return killed
    // A copy that was complete when it was killed exists, and refuses the next one.
    if (code === 6) return killed
    expect(code).toBe(-2)
    killed += 1
  }
  return killed
}

describe('the commands of the book', () => {
  test('show it, verify it, back it up and restore it, and refuse to overwrite', async () => {
    const { home, at, files } = await aHomeWithBook()
    const book = ['--book', 'book.db']
    const shown = await runJson(['book', 'show', ...book], { home })
    expect(shown).toMatchObject({ code: 0, data: { engine: 'sqlite', owner: { companyCode: 'DEMO' }, holders: [] } })
    const verified = await runJson(['book', 'verify', '--out', 'bets', ...book], { home })
    expect(verified).toMatchObject({ code: 0, data: { verdict: 'whole' } })
    expect(await done(home, ['book', 'verify', '--out', 'bets', ...book, '--quiet'])).toMatchObject({ stdout: '' })
    await done(home, ['book', 'backup', 'backup.db', ...book])
    expect(statSync(at('backup.db')).mode & 0o777).toBe(0o600)
    expect((await run(['book', 'backup', 'backup.db', ...book], { home })).code).toBe(6)
    expect((await run(['book', 'restore', 'backup.db', '--to', 'book.db'], { home })).code).toBe(6)
    expect((await run(['book', 'restore', 'nowhere.db', '--to', 'new.db'], { home })).code).toBe(5)
    expect((await run(['book', 'copy', '--to', 'backup.db', ...book], { home })).code).toBe(6)
    const before = files()
    const restored = await runJson(['book', 'restore', 'backup.db', '--to', 'restored.db'], { home })
    expect(restored.code).toBe(0)
    const trail = await runJson(['audit', 'list', '--book', 'restored.db'], { home })
    expect(trail.data).toMatchObject({
      entries: [{ command: 'book restore', subject: 'backup.db --to restored.db', outcome: 'ok', profile: 'local' }],
    })
    expect((await run(['audit', 'verify', '--book', 'restored.db'], { home })).code).toBe(0)
    const synced = await runJson(['bets', 'sync', '--out', 'bets', '--book', 'restored.db'], { home })
    expect(synced).toMatchObject({ code: 0, data: { added: 0, duplicates: 0, position: 'same' } })
    expect(files()).toEqual(before)
    expect(drafts(home.folder)).toEqual([])
  })

  test('give each backup of a folder, or with {date}, a name of its own', async () => {
    const { home, at } = await aHomeWithBook()
    const today = new Date().toISOString().slice(0, 10)
    for (let night = 0; night < 2; night++) {
      await done(home, ['book', 'backup', 'backups/', '--book', 'book.db'])
      await done(home, ['book', 'backup', 'b-{date}.db', '--book', 'book.db'])
    }
    expect(readdirSync(at('backups')).sort()).toHaveLength(2)
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const dated = readdirSync(home.folder).filter((name) => name.startsWith('b-'))
    for (const name of dated) expect(name).toMatch(new RegExp(`^b-(${today}|${tomorrow})(-2)?\\.db$`))
    expect(dated).toHaveLength(2)
    const odd = await run(['book', 'backup', 'b-{date}-{month}.db', '--book', 'book.db'], { home })
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('{month}')])
  })

  test('copy it to PostgreSQL, from where the sync continues', async () => {
    const { home, files } = await aHomeWithBook()
    const address = new URL(await postgresUrl(inject('postgresDoor')))
    address.searchParams.set('schema', `copy_${process.pid}_${Date.now()}`)
    const to = address.href
    await done(home, ['book', 'copy', '--to', to, '--book', 'book.db'])
    const trail = await runJson(['audit', 'list', '--book', to, '--limit', '1'], { home })
    expect(trail.data).toMatchObject({ entries: [{ command: 'book copy', outcome: 'ok' }] })
    expect(trail.stdout).not.toContain(`:${address.password || 'no password'}@`)
    await done(home, ['audit', 'verify', '--book', to])
    expect((await run(['book', 'copy', '--to', to, '--book', 'book.db', '--force'], { home })).code).toBe(6)
    await done(home, ['sim', 'play', '--rounds', '5', '--players', '4'])
    const synced = await runJson(['bets', 'sync', '--out', 'bets', '--book', to], { home })
    expect(synced).toMatchObject({ code: 0, data: { duplicates: 0, position: 'same' } })
    expect(await runJson(['book', 'verify', '--out', 'bets', '--book', to], { home })).toMatchObject({ code: 0 })
    const after = files()
    await done(home, ['bets', 'sync', '--out', 'fresh', '--book', 'fresh.db'])
    expect(after).toEqual(filesOf(join(home.folder, 'fresh')))
  })

  test('repair a day, and produce the files of a new sync', async () => {
    const { home, at, files } = await aHomeWithBook()
    const original = files()
    const { date, start, end } = await yesterdayOf(home)
    spoil(at('book.db'), { from: start, to: end })
    expect((await run(['book', 'verify', '--out', 'bets', '--book', 'book.db'], { home })).code).toBe(9)
    const daily = ['reconcile', 'daily', 'yesterday', '--book', 'book.db']
    const found = await run(daily, { home })
    expect([found.code, found.stdout]).toEqual([
      9,
      expect.stringContaining(`countroom book repair --book book.db ${date}`),
    ])
    const repaired = await runJson(['book', 'repair', 'yesterday', '--out', 'bets', '--book', 'book.db'], { home })
    expect(repaired).toMatchObject({
      code: 0,
      data: { date, added: 1, replaced: 1, removed: 0, before: 'differences', verdict: 'balanced' },
    })
    expect(files()).toEqual(original)
    expect((await run(['book', 'verify', '--out', 'bets', '--book', 'book.db'], { home })).code).toBe(0)
    expect((await run(daily, { home })).code).toBe(0)
    const repair = ['book', 'repair', date, '--out', 'bets', '--book', 'book.db']
    if (noTerminal === undefined) {
      const { code, screen } = await runOnTerminal(repair, [], { home })
      expect(code, screen).toBe(0)
      for (const text of ['Reconciling\r\n', 'reading the day again', 'Reconciling again'])
        expect(stripVTControlCharacters(screen)).toContain(text)
      expect(screen).toContain(`Repairing ${date}: 0 added, 0 replaced, 0 removed`)
    }
    const old = await run(['book', 'repair', '2020-01-01', '--out', 'bets', '--book', 'book.db'], { home })
    expect(old.code).toBe(11)
  })
})

async function yesterdayOf(home: Home): Promise<{ date: string; start: string; end: string }> {
  const { data } = await runJson(['reconcile', 'daily', '--book', 'book.db', '--no-keep'], { home })
  return data as { date: string; start: string; end: string }
}

describe('a run that is killed at a random instant', () => {
  test('of a backup and of a copy leaves a complete target or none, and the book unchanged', async () => {
    const { home, at } = await aHomeWithBook()
    const wholeOrMissing = (name: string) => () => {
      if (!existsSync(at(name))) return
      const db = new Database(at(name), { readonly: true })
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
      expect(db.prepare('select count(*) as n from book_revisions').get()).toEqual(all)
      db.close()
    }
    const source = new Database(at('book.db'), { readonly: true })
    const all = source.prepare('select count(*) as n from book_revisions').get()
    source.close()
    for (const [name, args] of [
      ['backup.db', ['book', 'backup', 'backup.db']],
      ['copy.db', ['book', 'copy', '--to', 'copy.db']],
    ] as const) {
      await killedAtRandom(home, [...args, '--book', 'book.db'], wholeOrMissing(name))
      if (!existsSync(at(name))) await done(home, [...args, '--book', 'book.db'])
      wholeOrMissing(name)()
      expect(drafts(home.folder)).toEqual([])
    }
    expect((await run(['book', 'verify', '--out', 'bets', '--book', 'book.db'], { home })).code).toBe(0)
    expect((await run(['book', 'verify', '--out', 'bets', '--book', 'copy.db'], { home })).code).toBe(0)
  })

  test('of a copy to PostgreSQL leaves it empty or complete', async () => {
    const { home } = await aHomeWithBook()
    const address = new URL(await postgresUrl(inject('postgresDoor')))
    address.searchParams.set('schema', `killed_${process.pid}_${Date.now()}`)
    const args = ['book', 'copy', '--to', address.href, '--book', 'book.db']
    await killedAtRandom(home, args, () => {})
    // A run may be killed after its copy was complete.
    const last = await run(args, { home })
    expect([0, 6]).toContain(last.code)
    const verified = await runJson(['book', 'verify', '--out', 'bets', '--book', address.href], { home })
    expect(verified).toMatchObject({ code: 0, data: { verdict: 'whole' } })
  })

  test('of a repair is finished by the next one', async () => {
    const { home, at, files } = await aHomeWithBook()
    const original = files()
    const { start, end } = await yesterdayOf(home)
    spoil(at('book.db'), { from: start, to: end })
    const args = ['book', 'repair', 'yesterday', '--out', 'bets', '--book', 'book.db']
    await killedAtRandom(home, args, () => {})
    await done(home, args)
    expect(files()).toEqual(original)
    expect((await run(['book', 'verify', '--out', 'bets', '--book', 'book.db'], { home })).code).toBe(0)
    const db = new Database(at('book.db'), { readonly: true })
    expect(db.prepare("select count(*) as n from book_replaced_revisions where kind = 'replaced'").get()).toEqual({
      n: 1,
    })
    db.close()
  })
})
