import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { sha256Hex } from '../../../src/kit/hmac.ts'
import { type ExportDependencies, exportBets } from '../../../src/operator/bets/export.ts'
import { type Disk, realDisk } from '../../../src/operator/bets/files/disk.ts'
import { betStatus } from '../../../src/operator/bets/status.ts'
import type { Book } from '../../../src/operator/book/book.ts'
import type { BetRecord } from '../../../src/services/casino/api/schemas/index.ts'
import { aFolder } from '../bet-support.ts'
import { aBook, aRecord, insertRows, toRow, writeRows } from '../book-rows.ts'

/** A book with these records, each in the month of its settlement. */
async function aBookWith(records: readonly Partial<BetRecord>[]): Promise<Book> {
  const book = await aBook()
  const rows = records.map((record, i) => toRow(aRecord({ recSeq: i + 1, slipId: `S${i + 1}`, ...record }), i + 1))
  await writeRows(book, rows)
  await book.store.write(async ({ q }) => {
    const owner = { id: 'owner', company_code: 'ACME', environment: 'live', timezone: 'UTC' } as const
    await q.insertInto('book_owner').values(owner).execute()
    for (const [month, some] of Map.groupBy(rows, (row) => row.month)) {
      const places = some.map(({ place }) => place)
      const ends = { first_place: Math.min(...places), last_place: Math.max(...places) }
      await q
        .insertInto('book_months')
        .values({ month, rows: some.length, ...ends })
        .execute()
    }
  })
  return book
}

async function exported(
  book: Book,
  folder: string,
  options: { format: 'csv' | 'parquet'; force?: boolean; disk?: Disk },
) {
  const warnings: string[] = []
  const dependencies: ExportDependencies = {
    book,
    bookUrl: ':memory:',
    disk: options.disk ?? realDisk,
    sleep: async () => {},
    stop: new AbortController().signal,
    runId: crypto.randomUUID(),
    me: { pid: 1, host: 'here', command: 'bets export' },
    tool: 'countroom test',
    report: { waiting: () => {}, warn: (text) => warnings.push(text), written: () => {} },
    exitOf: () => 0,
  }
  return { summary: await exportBets(dependencies, { out: folder, ...options }), warnings }
}

async function duck() {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  await connection.run(`set timezone = 'UTC'`)
  return async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson()
}

/** Records of every form: all optional fields or none, the largest amounts, losses, and texts that a CSV quotes. */
const forms: readonly Partial<BetRecord>[] = [
  {},
  { rev: 2, status: 'recalculated', slipId: 'S1', payout: '20', winLoss: '10', delta: '20' },
  { stake: '999999999999999.9999', payout: '999999999999999.9999', delta: '-999999999999999.9999' },
  { stake: '0.0001', winLoss: '-0.0001', delta: '-922337203685477.5808', validStake: '922337203685477.5808' },
  { hold: '2.5', rake: '0.05', onsite: true, username: '-çho "x", y' },
  { result: { code: '庄', cardInfo: 'Ü ♠ 10' }, roundId: '台-1' },
  // Two lone surrogates. If the texts were encoded together, they would be one character.
  { result: { code: '', cardInfo: 'x\ud83d' } },
  { result: { code: '', cardInfo: '\ude00 y' } },
  { onsite: false, shoe: '', round: 999_999_999_999_999, settledAt: '2026-04-01T00:00:00.000Z' },
  { settledAt: '2026-04-30T23:59:59.999Z', placedAt: '1969-12-31T23:59:59.001Z' },
]

test('DuckDB reads the rows and sums of the CSV files with their types, one file per month', async () => {
  const [csv, parquet] = [aFolder(), aFolder()]
  // More rows than a row group, in the first month.
  const many = Array.from({ length: 10_010 }, (_, i): Partial<BetRecord> => {
    const at = new Date(Date.parse('2026-03-01T00:00:00.000Z') + i * 60_007).toISOString()
    return { stake: `${i % 97}.${i % 10}`, payout: `${i % 31}.25`, placedAt: at, settledAt: at }
  })
  const book = await aBookWith([...many, ...forms])
  await exported(book, csv, { format: 'csv' })
  const { summary } = await exported(book, parquet, { format: 'parquet' })
  expect(readdirSync(parquet).toSorted()).toEqual(['bets-2026-03.parquet', 'bets-2026-04.parquet'])
  expect(summary).toMatchObject({ rows: many.length + forms.length, companyCode: 'ACME' })
  for (const { file, sha256, bytes } of summary.files) {
    const content = readFileSync(join(parquet, file))
    expect({ sha256: sha256Hex(content), bytes: content.length }).toEqual({ sha256, bytes })
  }

  const query = await duck()
  const types = Object.fromEntries(
    (await query(`describe select * from '${parquet}/*.parquet'`)).map((row) => [
      row['column_name'],
      row['column_type'],
    ]),
  )
  const amounts = ['stake', 'hold', 'validStake', 'rolling', 'payout', 'winLoss', 'delta', 'rake']
  expect(types).toEqual({
    ...Object.fromEntries(
      readFileSync(join(csv, 'bets-2026-03.csv'), 'utf8')
        .split('\n', 1)[0]
        ?.split(',')
        .map((name) => [name, 'VARCHAR']) ?? [],
    ),
    ...Object.fromEntries(amounts.map((name) => [name, 'DECIMAL(19,4)'])),
    ...{ recSeq: 'BIGINT', rev: 'BIGINT', round: 'BIGINT', onsite: 'BOOLEAN' },
    ...{ placedAt: 'TIMESTAMP WITH TIME ZONE', settledAt: 'TIMESTAMP WITH TIME ZONE' },
  })

  const texts = Object.entries(types)
    .filter(([, type]) => type === 'VARCHAR')
    .map(([name]) => name)
  // An empty cell of an amount is null, that of a text is an empty text.
  const typed = Object.entries(types)
    .map(([name, type]) =>
      type === 'VARCHAR' ? `coalesce("${name}", '') as "${name}"` : `nullif("${name}", '')::${type} as "${name}"`,
    )
    .join(', ')
  // The CSV puts an apostrophe before a text that a spreadsheet would read as a formula.
  await query(`create view plain as select ${typed} from read_csv('${csv}/*.csv', all_varchar = true)`)
  await query(`create view csv as select * replace (regexp_replace(username, '^''', '') as username) from plain`)
  await query(`create view parquet as select * from '${parquet}/*.parquet'`)
  expect(texts.length).toBeGreaterThan(10)
  expect(await query('(from csv except all from parquet) union all (from parquet except all from csv)')).toEqual([])
  const sums = `select count(*) as rows, ${amounts.map((name) => `sum("${name}")::varchar as "${name}"`).join(', ')} from `
  expect(await query(`${sums} parquet`)).toEqual(await query(`${sums} csv`))
  expect(
    await query(
      `select min(settledAt)::varchar as first, max(delta)::varchar as most, min(delta)::varchar as least from parquet`,
    ),
  ).toEqual([{ first: '2026-03-01 00:00:00+00', most: '30.2500', least: '-999999999999999.9999' }])
  // The range of each row group is in the file, so that a query of some days reads only their groups.
  const ranges = await query(
    `select stats_min_value from parquet_metadata('${parquet}/bets-2026-03.parquet') where path_in_schema = 'settledAt' order by row_group_id`,
  )
  expect(ranges).toHaveLength(2)
  expect(String(ranges[0]?.['stats_min_value'])).toContain('2026-03-01')
})

test('a second export writes only missing, changed or grown files', async () => {
  const folder = aFolder()
  const book = await aBookWith(forms)
  const first = await exported(book, folder, { format: 'parquet' })
  const path = join(folder, 'bets-2026-03.parquet')
  const other = join(folder, 'bets-2026-04.parquet')
  const long = new Date('2020-01-01T00:00:00.000Z')
  const before = statSync(other).mtimeMs
  expect((await exported(book, folder, { format: 'parquet' })).warnings).toEqual([])
  utimesSync(path, long, long)
  const changed = await exported(book, folder, { format: 'parquet' })
  expect(changed.warnings).toEqual([`${path} was changed by another program; writing it again`])
  rmSync(path)
  const missing = await exported(book, folder, { format: 'parquet' })
  expect(missing.warnings).toEqual([`${path} is missing; writing it again`])
  expect(missing.summary.files).toEqual(first.summary.files)
  expect(statSync(other).mtimeMs).toBe(before)
  await book.store.write(async (tx) => {
    await insertRows(tx, [toRow(aRecord({ slipId: 'late', settledAt: '2026-04-02T00:00:00.000Z' }), 99)])
    await tx.q.updateTable('book_months').set({ rows: 3, last_place: 99 }).where('month', '=', '202604').execute()
  })
  const grown = await exported(book, folder, { format: 'parquet' })
  expect(grown.summary.files.map(({ rows }) => rows)).toEqual([8, 3])
  expect(grown.warnings).toEqual([])
})

test('both formats share one folder, and "bets status" checks both', async () => {
  const folder = aFolder()
  const book = await aBookWith(forms)
  await exported(book, folder, { format: 'parquet' })
  await exported(book, folder, { format: 'csv' })
  await exported(book, folder, { format: 'parquet' })
  const status = () => betStatus({ book, bookUrl: ':memory:', disk: realDisk, now: () => 0 }, { verify: true })
  const states = async () =>
    (await status()).folders.flatMap(({ files }) => files.map(({ file, state }) => [file, state]))
  expect(await states()).toEqual([
    ['bets-2026-03.csv', 'intact'],
    ['bets-2026-03.parquet', 'intact'],
    ['bets-2026-04.csv', 'intact'],
    ['bets-2026-04.parquet', 'intact'],
  ])
  const path = join(folder, 'bets-2026-04.parquet')
  writeFileSync(path, readFileSync(path).fill(0, 100, 110))
  expect((await states()).at(-1)).toEqual(['bets-2026-04.parquet', 'changed'])
})

test('a file that is not of the book is refused before a write, and overwritten with --force', async () => {
  const folder = aFolder()
  const book = await aBookWith(forms)
  writeFileSync(join(folder, 'bets-2026-04.parquet'), 'mine')
  await expect(exported(book, folder, { format: 'parquet' })).rejects.toMatchObject({ code: 'FILE_EXISTS' })
  expect(readdirSync(folder)).toEqual(['bets-2026-04.parquet'])
  expect((await exported(book, folder, { format: 'parquet', force: true })).summary.files).toHaveLength(2)
})

test('a disk that fails leaves the earlier file and no other', async () => {
  const folder = aFolder()
  const book = await aBookWith(forms)
  await exported(book, folder, { format: 'parquet' })
  const path = join(folder, 'bets-2026-03.parquet')
  const before = readFileSync(path)
  await book.store.write(({ q }) => q.updateTable('book_exports').set({ place: 1 }).execute())
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  for (const disk of [
    { ...realDisk, replace: () => Promise.reject(full) },
    {
      ...realDisk,
      open: async (name: string) => ({ ...(await realDisk.open(name)), write: () => Promise.reject(full) }),
    },
  ]) {
    await expect(exported(book, folder, { format: 'parquet', disk })).rejects.toMatchObject({ code: 'OUTPUT_FAILED' })
    expect(readFileSync(path)).toEqual(before)
    expect(readdirSync(folder).filter((name) => name.endsWith('.draft'))).toEqual([])
  }
})

test('a value that has no type is named and no file is written', async () => {
  const folder = aFolder()
  const book = await aBookWith([{}])
  const record = JSON.stringify({ ...aRecord(), stake: 'ten' })
  await book.store.write(({ q }) => q.updateTable('book_revisions').set({ record }).execute())
  await expect(exported(book, folder, { format: 'parquet' })).rejects.toMatchObject({
    code: 'CANNOT_CONCLUDE',
    message: expect.stringContaining('The stake of slip S1 revision 1 is "ten"'),
  })
  expect(readdirSync(folder)).toEqual([])
})
