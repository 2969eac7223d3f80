import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { createClient } from '../../../src/http/client/client.ts'
import { tenantSigner } from '../../../src/http/client/signers.ts'
import { inProcess, signed } from '../../../src/http/client/transport.ts'
import { openBook } from '../../../src/operator/book/book.ts'
import { createTenant } from '../../../src/services/casino/admin/index.ts'
import { casino as casinoContract } from '../../../src/services/casino/api/contract.ts'
import { dealExactly } from '../../../src/services/casino/simulator/index.ts'
import { openWorld } from '../../../src/world/world.ts'
import { fillBook } from '../../operator/reconcile-support.ts'
import { aHome, envelopeOf, type Home, run, runJson } from '../../support/program/cli.ts'

interface Scene {
  readonly home: Home
  readonly book: string
  /** Runs the command on this world and book. */
  daily(...args: string[]): ReturnType<typeof run>
  dailyJson(...args: string[]): ReturnType<typeof runJson>
}

/** A world with its clock in spring 2026 and three played days, the last of which is not over, and a book of it. */
async function aScene(options: { change?: (book: string) => Promise<void>; without?: 'book' } = {}): Promise<Scene> {
  const home = aHome()
  const [db, book] = [join(home.folder, 'world.db'), join(home.folder, 'book.db')]
  const world = await openWorld({ db, seed: 'daily', startAt: Date.parse('2026-03-28T12:00:00.000Z') })
  const tenant = await createTenant(world.casino, {
    code: 'ACME',
    plan: 'paid',
    timezone: 'Europe/Berlin',
    currency: 'USD',
    currencies: [],
  })
  const random = (size: number) => new Uint8Array(randomBytes(size))
  const signer = tenantSigner({ ...tenant.live, now: Date.now, random })
  const client = createClient(casinoContract, signed(inProcess(world.server), signer))
  await client.enableTable({ body: { tableId: 'BAC-01' } })
  for (const username of ['amy', '-bob'])
    await client.deposit({ body: { username, txnId: `fund.${username}`, amount: '1000', currency: 'USD' } })
  for (const moment of ['2026-03-28T12:00:00.000Z', '2026-03-29T09:00:00.000Z', '2026-03-30T09:00:00.000Z']) {
    await world.clock.set(Date.parse(moment))
    await dealExactly(world.casino, 'ACME', {
      tableId: 'BAC-01',
      variant: 'classic',
      cardInfo: 'QD3D4C3SAH--',
      slips: [
        { username: 'amy', bets: { P: '100' } },
        { username: '-bob', bets: { B: '40' } },
      ],
    })
  }
  await world.clock.set(Date.parse('2026-03-30T10:00:00.000Z'))
  if (options.without !== 'book') {
    const opened = await openBook(book)
    const owner = { companyCode: 'ACME', environment: 'live', timezone: 'Europe/Berlin' } as const
    await fillBook(opened, client, owner, () => Date.parse('2026-03-30T10:00:00.000Z'))
    await opened.close()
  }
  await world.close()
  await options.change?.(book)
  const all = (args: readonly string[]) => ['reconcile', 'daily', ...args, '--book', book]
  const env = { COUNTROOM_DB: db }
  return {
    home,
    book,
    daily: (...args) => run(all(args), { home, env }),
    dailyJson: (...args) => runJson(all(args), { home, env }),
  }
}

/** Changes one slip of a day in the book. */
const changed = (day: string) => async (book: string) => {
  const opened = await openBook(book)
  await opened.store.write(async ({ q }) => {
    const row = await q
      .selectFrom('book_revisions')
      .selectAll()
      .where('name_key', '=', 'amy')
      .where('settled_at', '>=', Date.parse(`${day}T00:00:00.000Z`))
      .orderBy('place')
      .executeTakeFirstOrThrow()
    const record = JSON.stringify({ ...JSON.parse(row.record), winLoss: '7' })
    await q.updateTable('book_revisions').set({ record }).where('place', '=', row.place).execute()
  })
  await opened.close()
}

test('the default is yesterday in the tenant’s zone, here a day of 23 hours; balanced exits 0', async () => {
  const { daily, dailyJson } = await aScene()
  const { code, stdout } = await daily()
  expect([code, stdout]).toEqual([
    0,
    '2026-03-29 in Europe/Berlin (23 hours) is balanced: 2 slips of 2 players, every figure equal.\n',
  ])
  const json = await dailyJson()
  expect([json.code, json.status, json.data['verdict'], json.data['hours']]).toEqual([0, 'ok', 'balanced', 23])
})

test('differences exit 9 and are reported: verdict, figures, slip and next steps', async () => {
  const { daily, dailyJson } = await aScene({ change: changed('2026-03-29') })
  const { code, stdout, stderr } = await daily('2026-03-29')
  expect(code).toBe(9)
  expect(stdout).toMatch(
    /^2026-03-29 in Europe\/Berlin \(23 hours\) has differences: 1 player with 2 differing figures, 1 slip wrong, missing or extra in the book\.\n/,
  )
  expect(stdout).toMatch(/amy +USD +winLoss +-100 +7 +-107/)
  expect(stdout).toMatch(/- [0-9A-Z]{26} revision 1 of amy: changed\n {4}winLoss: -100 at the platform, 7 in the book/)
  expect(stdout).toMatch(/Next\n1\. Read the day again and repair the book: countroom book repair /)
  expect(stderr).toMatch(/Error: Differences found on 2026-03-29 \(DIFFERENCES\)/)
  const json = await dailyJson('2026-03-29')
  expect([json.code, json.status, json.error.code, json.error.category]).toEqual([
    9,
    'error',
    'DIFFERENCES',
    'differences',
  ])
  expect(json.data).toMatchObject({
    verdict: 'differences',
    trace: { state: 'complete' },
    files: { report: null, csv: null },
  })
})

test('a day that is not over is inconclusive and exits 11', async () => {
  const { dailyJson } = await aScene()
  const json = await dailyJson('today')
  expect([json.code, json.error.code, json.data['date']]).toEqual([11, 'CANNOT_CONCLUDE', '2026-03-30'])
  expect(json.data['reasons']).toMatchObject([{ code: 'DAY_NOT_OVER' }, { code: 'BOOK_BEHIND' }])
})

test('of a range each day has its verdict, and the worst one counts: differences before inconclusive', async () => {
  const { daily, dailyJson } = await aScene({ change: changed('2026-03-29') })
  const json = await dailyJson('--from', '2026-03-28', '--to', '2026-03-30')
  expect(json.code).toBe(9)
  expect(json.data).toMatchObject({
    verdict: 'differences',
    from: '2026-03-28',
    to: '2026-03-30',
    timezone: 'Europe/Berlin',
  })
  expect((json.data['days'] as { verdict: string }[]).map(({ verdict }) => verdict)).toEqual([
    'balanced',
    'differences',
    'cannot-conclude',
  ])
  const people = await daily('--from', '2026-03-28', '--to', '2026-03-28')
  expect([people.code, people.stdout]).toEqual([
    0,
    expect.stringContaining('2026-03-28 in Europe/Berlin (24 hours) is balanced'),
  ])
  const doubt = await daily('--from', '2026-03-30', '--to', 'today')
  expect(doubt.code).toBe(11)
})

test('--csv has every compared figure, safe for spreadsheets, with the same bytes each time', async () => {
  const { home, daily } = await aScene()
  const file = join(home.folder, 'out', 'day.csv')
  mkdirSync(join(home.folder, 'out'))
  expect((await daily('2026-03-29', '--csv', file)).code).toBe(0)
  const bytes = readFileSync(file)
  const rows: Record<string, string>[] = parse(bytes, { columns: true })
  expect(Object.keys(rows[0] ?? {})).toEqual([
    'date',
    'timezone',
    'verdict',
    'player',
    'currency',
    'field',
    'platform',
    'book',
    'difference',
    'match',
  ])
  expect(rows).toHaveLength(14)
  expect(rows.find((row) => row['player'] === "'-bob" && row['field'] === 'winLoss')).toMatchObject({
    currency: 'USD',
    difference: '0',
    match: 'yes',
  })
  expect(rows.find((row) => row['player'] === 'amy' && row['field'] === 'winLoss')?.['book']).toBe('-100')
  expect((await daily('2026-03-29', '--csv', file, '--force')).code).toBe(0)
  expect(readFileSync(file)).toEqual(bytes)
  expect(readdirSync(join(home.folder, 'out'))).toEqual(['day.csv'])
})

test('--report writes one self-contained page', async () => {
  const { home, daily } = await aScene({ change: changed('2026-03-29') })
  const file = join(home.folder, 'day.html')
  const { code } = await daily('2026-03-29', '--report', file)
  expect(code).toBe(9)
  const page = readFileSync(file, 'utf8')
  expect(page).toMatch(/^<!doctype html>/)
  expect(page).toContain('<h2>Differences</h2>')
  expect(page).not.toMatch(/<script|src=|https?:|@import|url\(/)
})

test('an existing file is not overwritten, and that is checked before any request', async () => {
  const { home, daily } = await aScene()
  const file = join(home.folder, 'out', 'day.csv')
  mkdirSync(join(home.folder, 'out'))
  writeFileSync(file, 'mine')
  const { code, stderr } = await daily('2026-03-29', '--csv', file)
  expect([code, readFileSync(file, 'utf8')]).toEqual([6, 'mine'])
  expect(stderr).toContain('To overwrite it, add --force')
  expect(stderr).not.toContain('Reconciling')
})

test('a missing book is not created', async () => {
  const { book, dailyJson } = await aScene({ without: 'book' })
  const json = await dailyJson('2026-03-29')
  expect([json.code, json.error.code, existsSync(book)]).toEqual([11, 'CANNOT_CONCLUDE', false])
})

test('reading does not change the book', async () => {
  const { book, daily } = await aScene({ change: changed('2026-03-29') })
  const look = async () => {
    const opened = await openBook(book)
    const rows = await opened.store.read(({ q }) =>
      q.selectFrom('book_revisions').selectAll().orderBy('place').execute(),
    )
    const position = await opened.store.read(({ q }) => q.selectFrom('book_position').selectAll().execute())
    await opened.close()
    return createHash('sha256')
      .update(JSON.stringify([rows, position]))
      .digest('hex')
  }
  const before = await look()
  await daily('2026-03-29')
  expect(await look()).toBe(before)
})

test.each([
  [['2026-02-30'], /is not a valid day; expected YYYY-MM-DD, today or yesterday/],
  [['yesterdy'], /is not a valid day; expected YYYY-MM-DD, today or yesterday/],
  [['2026-03-29', '--from', '2026-03-01'], /Pass either DATE, or a range with --from and --to/],
  [['--to', '2026-03-01'], /--from/],
  [['--from', '2026-03-29', '--to', '2026-03-28'], /--to is before --from/],
  [['--from', '2024-01-01', '--to', '2026-03-28'], /at most 400 days/],
  [['--csv', 'x', '--report', 'x'], /--report and --csv must name different files/],
  [['--trace-pages', '0'], /trace-pages/],
])('%j is refused as a usage error', async (args, message) => {
  const { daily } = await aScene()
  const { code, stderr, stdout } = await daily(...args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(message)
})

test('--quiet prints only the result, on either stream', async () => {
  const { daily } = await aScene()
  const { code, stdout, stderr } = await daily('2026-03-29', '--quiet')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('is balanced')
})

test('--no-trace sends no request for records, and reports the missing evidence', async () => {
  const { dailyJson } = await aScene({ change: changed('2026-03-29') })
  const { code, data } = await dailyJson('2026-03-29', '--no-trace')
  expect(code).toBe(9)
  expect(data).toMatchObject({ trace: { state: 'off', pages: 0 }, slips: [{ finding: 'contradiction' }] })
})

test('the envelope is complete also if the world is unreachable', async () => {
  const { home, book } = await aScene()
  const result = await run(['reconcile', 'daily', '--book', book, '--json'], {
    home,
    env: { COUNTROOM_DB: join(home.folder, 'nowhere.db') },
  })
  expect([result.code, envelopeOf(result).error.code]).toEqual([78, 'BAD_CONFIGURATION'])
})
