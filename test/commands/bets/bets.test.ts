import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { dealExactly } from '../../../src/services/casino/simulator/exact.ts'
import { aHome, noTerminal, programs, run, runJson, runOnTerminal } from '../../support/program/cli.ts'
import { served } from '../../support/program/processes.ts'
import { clearOfMidnight } from '../../support/worlds/days.ts'
import { localHome, servedBeside } from '../../support/worlds/served.ts'

beforeEach(() => clearOfMidnight('Asia/Taipei'))

test('bets are pulled once, a second run changes no byte, and the book shows its progress', async () => {
  const { home } = await servedBeside()
  await run(['sim', 'play', '--tables', 'BAC-01', '--rounds', '20', '--players', '5', '--days', '3'], { home })
  const out = join(home.folder, 'bets')
  const first = await runJson(['bets', 'sync', '--out', out], { home })
  expect(first).toMatchObject({ code: 0, data: { rows: 100, added: 100, caughtUp: true } })
  const files = (first.data as unknown as { files: { file: string }[] }).files.map(({ file }) => file)
  const bytes = () => files.map((file) => readFileSync(join(out, file), 'utf8'))
  const before = bytes()
  expect(before[0]?.split('\n')[0]).toBe(
    'recSeq,slipId,rev,status,username,currency,tableId,game,variant,roundId,shoe,round,stake,hold,validStake,rolling,payout,winLoss,delta,rake,onsite,resultCode,cardInfo,placedAt,settledAt,bets,result',
  )
  expect(await runJson(['bets', 'sync', '--out', out], { home })).toMatchObject({ data: { rows: 100, added: 0 } })
  expect(bytes()).toEqual(before)

  expect((await runJson(['bets', 'status'], { home })).data).toMatchObject({ rows: 100, cursor: expect.any(String) })
  expect((await run(['bets', 'status'], { home })).stdout).toMatch(/^lag +\d+[sm]$/m)
  const slip = before[0]?.split('\n')[1]?.split(',')[1] ?? ''
  const shown = await runJson(['bets', 'show', slip], { home })
  expect(shown.data).toMatchObject({ slipId: slip, revisions: [{ rev: 1, status: 'settled' }] })
  expect((await runJson(['bets', 'show', 'nothing'], { home })).code).toBe(5)
})

test('one run at a time works on a book, and a second one names the holder of the lock', async () => {
  const { home } = await servedBeside()
  await run(['sim', 'play', '--tables', 'BAC-01', '--rounds', '20', '--players', '5', '--days', '3'], { home })
  let second: ReturnType<typeof runJson> | undefined
  const followed = await run(['bets', 'sync', '--out', join(home.folder, 'a'), '--follow', '--json'], {
    home,
    watch: (child, printed) => {
      if (second !== undefined || !printed.includes('caught-up')) return
      second = runJson(['bets', 'sync', '--out', join(home.folder, 'b')], { home })
      void second.finally(() => child.kill('SIGINT'))
    },
  })
  const lost = await second
  expect(lost).toMatchObject({ code: 75, error: { code: 'LOCKED_BY_ANOTHER' } })
  expect(lost?.error?.message).toContain('bets sync')
  const lines = followed.stdout.trim().split('\n')
  expect(lines.slice(0, -1).map((line) => JSON.parse(line))).toContainEqual({
    event: 'caught-up',
    added: 100,
    rows: 100,
    cursor: expect.any(String),
    month: expect.stringMatching(/^\d{4}-\d{2}$/),
  })
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ command: 'bets sync', data: { stoppedBy: 'signal' } })
  expect(followed.code).toBe(130)
})

test.skipIf(noTerminal)(
  'bets export counts its rows on a terminal, with --json too, and prints no progress in a pipe',
  async () => {
    const { home } = await servedBeside()
    await run(['sim', 'play', '--tables', 'BAC-01', '--rounds', '20', '--players', '5', '--days', '1'], { home })
    await run(['bets', 'sync', '--out', 'bets'], { home })
    for (const format of ['csv', 'parquet']) {
      const args = ['bets', 'export', '--out', `out-${format}`, '--format', format]
      const { code, screen } = await runOnTerminal(args, [], { home })
      expect(code, screen).toBe(0)
      expect(screen).toContain('Bets: 100 rows written')
      expect((await runOnTerminal([...args, '--json'], [], { home })).screen).toContain('Bets: 0 rows written')
      expect((await run(args, { home })).stderr).not.toContain('Bets')
    }
  },
)

test('bets status --verify names a file that was changed, and bets export repairs it', async () => {
  const home = aHome()
  const world = await served(home.folder, { ...process.env, ...home.env })
  try {
    await run(['sim', 'play', '--tables', 'BAC-01', '--rounds', '20', '--players', '5', '--days', '1'], { home })
    const out = join(home.folder, 'bets')
    await run(['bets', 'sync', '--out', out], { home })
    const fine = await runJson(['bets', 'status', '--verify'], { home })
    expect(fine).toMatchObject({ code: 0, data: { folders: [{ folder: out }] } })
    const name = readdirSync(out).find((file) => file.endsWith('.csv')) ?? ''
    const path = join(out, name)
    const before = readFileSync(path, 'utf8')
    writeFileSync(path, before.replace(',settled,', ',SETTLED,'))
    const damaged = await runJson(['bets', 'status', '--verify'], { home })
    expect(damaged.code).toBe(9)
    // A day in which a month begins has a file for each.
    const files = expect.arrayContaining([expect.objectContaining({ file: name, state: 'changed' })])
    expect(damaged.data).toMatchObject({ folders: [{ files }] })
    // The platform is not needed for it.
    await world.stop()
    // A file system that always denies the folder, as /proc does, gets one attempt.
    for (const [place, code] of [
      [join(path, 'below-a-file'), 78],
      [path, 78],
      ['/proc/nobody/makes/this', 7],
    ] as const) {
      if (place.startsWith('/proc') && !existsSync('/proc/self')) continue
      const refused = await runJson(['bets', 'export', '--out', place], { home })
      expect({ place, code: refused.code, error: refused.error?.code }).toEqual({ place, code, error: 'OUTPUT_FAILED' })
    }
    const again = await runJson(['bets', 'export', '--out', out], { home })
    expect(again).toMatchObject({ code: 0, data: { rows: 100 } })
    expect(readFileSync(path, 'utf8')).toBe(before)
    const elsewhere = join(home.folder, 'elsewhere')
    expect((await runJson(['bets', 'export', '--out', elsewhere], { home })).code).toBe(0)
    expect(readFileSync(join(elsewhere, name), 'utf8')).toBe(before)
    expect(await runJson(['bets', 'status', '--verify'], { home })).toMatchObject({ code: 0 })
  } finally {
    await world.kill()
  }
})

test('without a book the list is empty, and no book is created', async () => {
  const home = aHome()
  for (const args of [['status'], ['show', 'x'], ['export', '--out', join(home.folder, 'o')]]) {
    const { code, error } = await runJson(['bets', ...args], { home })
    expect({ args, code }).toEqual({ args, code: 5 })
    expect(error?.message).toContain('bets sync')
  }
})

test('a platform that was restored from a backup is detected, and the suggested command reads it again', async () => {
  const home = await localHome()
  const out = join(home.folder, 'my bets')
  const deal = async () => {
    const world = await home.open()
    await dealExactly(world.casino, 'DEMO', {
      tableId: 'BAC-01',
      variant: 'classic',
      cardInfo: 'QD3D4C3SAH--',
      slips: [{ username: 'amy', bets: { B: '100' } }],
    })
    await world.close()
  }
  await deal()
  const backup = readFileSync(home.db)
  await deal()
  expect((await runJson(['bets', 'sync', '--out', out], { home })).data).toMatchObject({ rows: 2, position: null })
  expect((await runJson(['bets', 'sync', '--out', out], { home })).data).toMatchObject({ rows: 2, position: 'same' })
  const files = () => readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'))
  const before = files()
  for (const end of ['-wal', '-shm']) rmSync(`${home.db}${end}`, { force: true })
  writeFileSync(home.db, backup)
  const refused = await runJson(['bets', 'sync', '--out', out], { home })
  expect(refused).toMatchObject({ code: 6, error: { code: 'BOOK_AHEAD', category: 'conflict', retryable: false } })
  expect(files()).toEqual(before)
  const status = await runJson(['bets', 'status'], { home })
  expect(status).toMatchObject({ code: 9, data: { ahead: true, rows: 2 } })
  const daily = await runJson(['reconcile', 'daily', 'today'], { home })
  // The figures differ as well, which is proof.
  expect([daily.code, daily.data['verdict']]).toEqual([9, 'differences'])

  const next = String(refused.error.details['next'])
  expect(refused.error.message).toContain(next)
  const shell = spawnSync('sh', ['-c', next.replace(/^countroom /, `"${process.execPath}" "${programs.countroom}" `)], {
    env: { ...home.env, PATH: process.env['PATH'] },
    encoding: 'utf8',
  })
  expect([shell.status, shell.stderr]).toEqual([0, `Profile local: ${home.db}\n`])
  expect(readdirSync(`${out}-2`)).toContain('manifest.json')
})

test('an empty folder and a start in the future are refused before a file is created', async () => {
  const home = await localHome()
  for (const job of ['sync', 'export']) {
    const { code, error } = await runJson(['bets', job, '--out', ''], { home })
    expect({ job, code, message: error.message }).toEqual({
      job,
      code: 2,
      message: '--out is empty; name the folder to write',
    })
  }
  const later = await runJson(['bets', 'sync', '--out', join(home.folder, 'bets'), '--from', '2999-01-01'], { home })
  expect(later).toMatchObject({ code: 2, error: { code: 'INVALID_USAGE' } })
  expect(later.error.message).toContain('--from 2999-01-01 is in the future')
  expect((await runJson(['bets', 'status'], { home })).code).not.toBe(0)
  expect(existsSync(join(home.folder, 'bets'))).toBe(false)
  expect((await runJson(['bets', 'sync'], { home })).error.message).toBe('Missing required flag --out')
})
