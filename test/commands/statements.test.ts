import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { standIn } from '../support/http/stand-in.ts'
import { aHome, run, runJson } from '../support/program/cli.ts'
import { localHome } from '../support/worlds/served.ts'

const words = (line: string) => line.split(' ')
const statement = (
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
const withStatements = (...statements: readonly object[]) =>
  standIn({ '/account/statements': () => ({ data: { statements } }) })

test('the statements of a world are consecutive', async () => {
  const home = await localHome()
  const none = await run(words('statements list'), { home })
  expect(none).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('No statements yet') })
  const world = await home.open()
  await world.clock.advance((await world.clock.now()) + 100 * 86_400_000)
  await world.close()
  const { data, warnings } = await runJson(words('statements list'), { home })
  expect((data['statements'] as unknown[]).length).toBeGreaterThanOrEqual(3)
  expect([data['findings'], warnings]).toEqual([[], []])
  const text = await run(words('statements list'), { home })
  expect(text.stdout).toMatch(/^month +opening USD +charges USD +payments USD +closing USD\n/)
  expect(text.stderr).toContain('All statements add up, and each opens with the closing balance of the month before.')
  const csv = await run(words('statements list --csv --columns period,closingUsd --no-header'), { home })
  expect(csv.stdout).toMatch(/^\d{4}-\d{2},-?[\d.]+\n/)
})

test('one with another opening balance, a wrong sum, or a gap before it, is reported', async () => {
  const home = await withStatements(
    statement('2026-03', '90', '-10', '0', '80'),
    statement('2026-02', '95.000001', '-5', '0', '90.000001'),
    statement('2025-12', '100', '-5', '0', '96'),
  )
  const { code, data, warnings } = await runJson(words('statements list'), { home })
  expect(code).toBe(0)
  expect((data['findings'] as { period: string; message: string }[]).map(({ period }) => period)).toEqual([
    '2026-03',
    '2026-02',
    '2026-02',
    '2025-12',
  ])
  expect(warnings).toEqual([
    '2026-03 opens with USD 90, but 2026-02 closed with 90.000001',
    '2026-02 opens with USD 95.000001, but 2025-12 closed with 96',
    'Between 2025-12 and 2026-02 months are missing',
    '2025-12 closes with USD 96, but its figures add up to 95',
  ])
  expect((await run(words('statements list'), { home })).stderr).not.toContain('All statements add up')
})

test('the end of a year is no gap', async () => {
  const home = await withStatements(
    statement('2026-01', '1', '0', '0', '1.000000'),
    statement('2025-12', '1', '0', '0', '1'),
  )
  expect((await runJson(words('statements list'), { home })).data['findings']).toEqual([])
})

test('every command that writes a file accepts an existing folder', async () => {
  const home = aHome()
  mkdirSync(join(home.folder, 'reports'))
  for (const line of [
    'statements export --out',
    'reconcile billing --csv',
    'reconcile payments --report',
    'reconcile daily --csv',
    'reconcile transfers ledger.csv --csv',
    'wallet plans 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --out',
    'wallet apply 01JQ7Z6Y3V8T2M9K4H5N0B1C2D --out',
    'tickets export --out',
    'tickets bulk --filter status=open --out',
  ]) {
    const { code, error } = await runJson([...words(line), 'report/deep/july.csv'], { home, cwd: home.folder })
    expect([line, code, error.code, error.details['nearest']]).toEqual([
      ...[line, 2, 'INVALID_USAGE', join(home.folder, 'reports')],
    ])
    expect(error.message).toContain(
      `Folder ${join(home.folder, 'report/deep')} for july.csv does not exist; did you mean ${join(home.folder, 'reports')}?`,
    )
  }
  expect(existsSync(join(home.folder, 'report'))).toBe(false)
})
