import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { openBook } from '../../src/operator/book/book.ts'
import { topUp } from '../../src/services/casino/admin/index.ts'
import { standIn } from '../support/http/stand-in.ts'
import { aHome, run, runJson } from '../support/program/cli.ts'
import { served } from '../support/program/processes.ts'
import { localHome } from '../support/worlds/served.ts'

const words = (line: string) => line.split(' ')
const dayMs = 86_400_000

/**
 * The demo world after a period that was paid for once more. It starts in the middle of a month, so that one month is
 * partial.
 */
async function billedHome(days = 100) {
  const home = await localHome(Date.parse('2026-03-12T12:00:00Z'))
  const world = await home.open()
  await world.clock.advance((await world.clock.now()) + Math.round(days / 2) * dayMs)
  await topUp(world.casino, 'DEMO', '250.000001', 'more')
  await world.clock.advance((await world.clock.now()) + Math.round(days / 2) * dayMs)
  await world.close()
  return home
}

const aStatement = (
  period: string,
  openingUsd: string,
  chargesUsd: string,
  paymentsUsd: string,
  closingUsd: string,
) => ({
  period,
  openingUsd,
  chargesUsd,
  paymentsUsd,
  closingUsd,
})

/** Every day of a month with one table, for a fee. */
function aMonth(period: string, days: number, tableFeeUsd: string) {
  return Array.from({ length: days }, (_, i) => ({
    day: `${period}-${String(i + 1).padStart(2, '0')}`,
    tableDays: 1,
    streamGb: '0.000',
    streamSource: 'estimate',
    tableFeeUsd,
    streamFeeUsd: '0',
  }))
}

test('statements are exported with a total that proves them, and never overwrite a file without confirmation', async () => {
  const home = await billedHome()
  const file = join(home.folder, 'statements.csv')
  const { code, data } = await runJson(words('statements export --out statements.csv'), { home })
  const text = readFileSync(file, 'utf8')
  const rows = parse(text, { columns: true }) as Record<string, string>[]
  expect([code, data['statements'], data['findings']]).toEqual([0, rows.length - 1, []])
  expect(data).toMatchObject({ file, sha256: createHash('sha256').update(text).digest('hex') })
  expect(text.split('\n')[0]).toBe('period,openingUsd,chargesUsd,paymentsUsd,closingUsd,differenceUsd')
  expect(rows.at(-1)).toMatchObject({
    period: 'TOTAL',
    openingUsd: '0',
    paymentsUsd: '10250.000001',
    differenceUsd: '0',
  })
  expect(rows.map((row) => row['period'])).toEqual(rows.map((row) => row['period']).toSorted())
  const again = await runJson(words('statements export --out statements.csv'), { home })
  expect([again.code, again.error.code]).toEqual([6, 'FILE_EXISTS'])
  expect((await run(words('statements export --out statements.csv --force'), { home })).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('statements that do not add up are written anyway, and the run exits with 9', async () => {
  const statements = [aStatement('2026-03', '90', '-10', '0', '80'), aStatement('2026-02', '100', '-5', '0', '95')]
  const home = await standIn({ '/account/statements': () => ({ data: { statements } }) })
  const { code, data, error } = await runJson(words('statements export --out torn.csv'), { home })
  expect([code, error.code]).toEqual([9, 'DIFFERENCES'])
  expect(data['findings']).toEqual([
    { period: '2026-03', message: '2026-03 opens with USD 90, but 2026-02 closed with 95' },
  ])
  expect(readFileSync(join(home.folder, 'torn.csv'), 'utf8')).toMatch(/\nTOTAL,100,-15,0,80,-5\n$/)
})

test('an export without statements has only its header', async () => {
  const home = await localHome()
  const { code, data } = await runJson(words('statements export --out none.csv'), { home })
  expect([code, data['statements'], data['total']]).toEqual([0, 0, null])
})

test('the bill of a world adds up, day by day and month by month, with its files', async () => {
  const home = await billedHome(200)
  const { code, data } = await runJson(words('reconcile billing --csv bill.csv --report bill.html'), { home })
  expect([code, data['verdict'], data['findings'], data['reasons']]).toEqual([0, 'balanced', [], []])
  const months = data['months'] as { differenceUsd: string }[]
  expect(months.length).toBeGreaterThanOrEqual(6)
  expect(months.every(({ differenceUsd }) => differenceUsd === '0')).toBe(true)
  expect(data['since']).toMatchObject({ paymentsUsd: '0' })
  const rows = parse(readFileSync(join(home.folder, 'bill.csv'), 'utf8'), { columns: true }) as Record<string, string>[]
  expect(rows.length).toBeGreaterThan(200)
  expect(rows.every((row) => row['match'] === 'yes')).toBe(true)
  const page = readFileSync(join(home.folder, 'bill.html'), 'utf8')
  // toMatch is not used, because it would print the whole page when it fails.
  const has = (form: RegExp) => form.test(page)
  expect(has(/<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src/)).toBe(true)
  expect(has(/<h2>Balanced<\/h2>[\s\S]*Charges per day[\s\S]*<svg/)).toBe(true)
  expect(has(/<script|href="http|url\(/)).toBe(false)
  const refused = await runJson(words('reconcile billing --csv bill.csv'), { home })
  expect([refused.code, refused.error.code]).toEqual([6, 'FILE_EXISTS'])
  const people = await run(words('reconcile billing'), { home })
  expect(people.stdout).toMatch(/^The bill is correct: \d statements[\s\S]*\nmonth +opening +charges/)
  expect(people.stdout).toContain('Explanations\n- The account')
  const quarter = await runJson(words(`reconcile billing --to ${(months[2] as { period?: string }).period}`), { home })
  expect([quarter.code, quarter.data['since'], (quarter.data['months'] as unknown[]).length]).toEqual([0, null, 3])
})

test('the bill of a remote world adds up also where its clock is ahead of this machine’s', async () => {
  const home = aHome()
  const world = await served(home.folder, { ...process.env, ...home.env })
  try {
    await run(['profiles', 'add', 'house', '--environment', 'live', '--from', world.readyFile], { home })
    await run(words('console clock advance 40d'), { home })
    await run(words('tables disable DT-02 --profile house --yes'), { home })
    await run(words('console clock advance 30d'), { home })
    const { code, data } = await runJson(words('reconcile billing --profile house'), { home })
    expect(data).toMatchObject({ verdict: 'balanced', findings: [], since: { paymentsUsd: '0' } })
    expect(code).toBe(0)
    expect((data['months'] as unknown[]).length).toBeGreaterThan(1)
  } finally {
    await world.kill()
  }
})

test('a bill that charges more than the usage exits with 9 and names month and figures', async () => {
  const home = await standIn({
    '/account/statements': () => ({
      data: {
        statements: [
          aStatement('2026-02', '900', '-100.5', '0', '799.5'),
          aStatement('2026-01', '0', '-100', '1000', '900'),
        ],
      },
    }),
    '/account/usage': ({ url }) => ({
      data: { days: url.includes('2026-02') ? aMonth('2026-02', 28, '3.571428') : aMonth('2026-01', 31, '3.225806') },
    }),
  })
  const { code, data, error } = await runJson(words('reconcile billing --to 2026-02'), { home })
  expect([code, error.code, data['verdict']]).toEqual([9, 'DIFFERENCES', 'differences'])
  expect(data['findings']).toMatchObject([
    { code: 'CHARGES_DIFFER', period: '2026-02', stated: '100.5', computed: '99.999984' },
    { code: 'CHARGES_DIFFER', period: '2026-01', stated: '100', computed: '99.999986' },
  ])
  expect(data['breaks']).toEqual([])
  // With a book the findings are breaks, and a second run finds the same ones.
  const path = home.write('own.book', '')
  const book = await openBook(path)
  await book.close()
  const noted = await runJson(words(`reconcile billing --to 2026-02 --book ${path}`), { home })
  expect((noted.data['breaks'] as string[]).length).toBe(2)
  const people = await run(words(`reconcile billing --to 2026-02 --book ${path}`), { home })
  expect(people.code).toBe(9)
  expect(people.stdout).toContain('2026-02 charges USD 100.5, but the usage of its days is 99.999984')
  const listed = await runJson(words(`reconcile breaks list --date 2026-02 --book ${path}`), { home })
  expect(listed.data['breaks']).toMatchObject([{ kind: 'billing', amount: '0.500016', currency: 'USD', times: 2 }])
})

test('days are checked against an agreed price', async () => {
  const home = await standIn({
    '/account/statements': () => ({ data: { statements: [aStatement('2026-02', '100', '-70', '0', '30')] } }),
    '/account/usage': () => ({ data: { days: aMonth('2026-02', 28, '2.5') } }),
  })
  const dear = await runJson(words('reconcile billing --to 2026-02'), { home })
  expect([dear.code, (dear.data['findings'] as { code: string }[])[0]?.code]).toEqual([9, 'FEE_DIFFERS'])
  expect((await run(words('reconcile billing --to 2026-02 --table-price 70'), { home })).code).toBe(0)
})

test('without a statement the verdict is inconclusive, which exits with 11', async () => {
  const home = await localHome()
  const { code, data, error } = await runJson(words('reconcile billing --report none.html'), { home })
  expect([code, error.code, data['verdict']]).toEqual([11, 'CANNOT_CONCLUDE', 'cannot-conclude'])
  expect(data['reasons']).toMatchObject([{ code: 'NO_STATEMENT' }])
  expect(existsSync(join(home.folder, 'none.html'))).toBe(true)
})

test.each([
  '--from 2026-13',
  '--to soon',
  '--from 2026-03 --to 2026-02',
  '--table-price -5',
  '--table-price dear',
  '--csv x.txt --report x.txt',
])('reconcile billing %s is rejected before any request', async (flags) => {
  const { code, error } = await runJson(words(`reconcile billing ${flags}`), { home: await localHome() })
  expect([code, error.category]).toEqual([2, 'usage'])
})
