import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { dayOf } from '../../../src/domain/time/day.ts'
import { openBook } from '../../../src/operator/book/book.ts'
import { dealExactly } from '../../../src/services/casino/simulator/index.ts'
import { type Home, run, runJson } from '../../support/program/cli.ts'
import { remoteHome, type Served, served } from '../../support/worlds/served.ts'

const words = (line: string) => line.split(' ')
const json = async (home: Home, line: string, code: number) => {
  const result = await runJson(words(line), { home })
  expect([line, result.code, result.code === code ? '' : result.stdout]).toEqual([line, code, ''])
  return result
}
const people = async (home: Home, line: string, code: number) => {
  const result = await run(words(line), { home })
  expect([line, result.code, result.code === code ? '' : result.stderr]).toEqual([line, code, ''])
  return result
}

const noon = (Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000 + 4 * 3_600_000
const day = dayOf(noon, 'Asia/Taipei')

/** A day of baccarat and Niu Niu in a book that was read past its end. */
async function aDay(place: Served): Promise<{ home: Home; slipId: string }> {
  const home = await remoteHome(place)
  await place.world.clock.set(noon)
  const { revisions } = await dealExactly(place.world.casino, 'DEMO-SBX', {
    tableId: 'BAC-01',
    variant: 'classic',
    cardInfo: '5H4S3C5D----',
    slips: [
      { username: 'amy', bets: { B: '100', T: '10', BP: '5' } },
      { username: 'bob', bets: { B: '40' } },
    ],
  })
  await dealExactly(place.world.casino, 'DEMO-SBX', {
    tableId: 'NN-01',
    cardInfo: '5C|KS 7D 3C 8H 9S|QD TC JS 6H 4D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C',
    slips: [{ username: 'amy', bets: { P1E: '100', P1D: '100', P2D: '50' } }],
  })
  await place.world.clock.set(noon + 14 * 3_600_000)
  await dealExactly(place.world.casino, 'DEMO-SBX', {
    tableId: 'BAC-01',
    variant: 'classic',
    cardInfo: '5H4S3C5D----',
    slips: [{ username: 'cho', bets: { P: '1' } }],
  })
  await people(home, 'bets sync --out bets --book book.db', 0)
  return { home, slipId: revisions[0]?.bets.find(({ username }) => username === 'amy')?.slipId ?? '' }
}

/** Sets a slip of the book to a payout without commission, and returns a function that undoes it. */
async function spoil(home: Home, slipId: string): Promise<() => Promise<void>> {
  const change = async (from: RegExp, to: string) => {
    const book = await openBook(join(home.folder, 'book.db'))
    await book.store.write(async ({ q }) => {
      const { record } = await q
        .selectFrom('book_revisions')
        .select('record')
        .where('slip_id', '=', slipId)
        .executeTakeFirstOrThrow()
      await q
        .updateTable('book_revisions')
        .set({ record: record.replaceAll(from, to) })
        .where('slip_id', '=', slipId)
        .execute()
    })
    await book.close()
  }
  await change(/"195"/g, '"200"')
  await change(/"winLoss":"80"/g, '"winLoss":"85"')
  return async () => {
    await change(/"200"/g, '"195"')
    await change(/"winLoss":"85"/g, '"winLoss":"80"')
  }
}

test('a day settled by the rules is balanced; a slip paid without commission is named and is a break until it is corrected', async () => {
  const place = await served()
  const { home, slipId } = await aDay(place)
  const right = await json(home, `reconcile settlement ${day} --book book.db`, 0)
  expect(right.data).toMatchObject({ verdict: 'balanced', date: day, slips: 3, wrong: 0, unchecked: 0, breaks: [] })

  const undo = await spoil(home, slipId)
  const files = '--report settlement.html --csv settlement.csv'
  const wrong = await json(home, `reconcile settlement ${day} --book book.db ${files}`, 9)
  expect(wrong).toMatchObject({ error: { code: 'DIFFERENCES' } })
  expect(wrong.data).toMatchObject({
    verdict: 'differences',
    wrong: 1,
    totals: [
      { currency: 'USD', field: 'payout', difference: '5', slips: 1 },
      { currency: 'USD', field: 'winLoss', difference: '5', slips: 1 },
    ],
    findings: [
      {
        slipId,
        rev: 1,
        player: 'amy',
        fields: [
          { field: 'B.return', platform: '200', rules: '195', difference: '5' },
          { field: 'payout', platform: '200', rules: '195', difference: '5' },
          { field: 'winLoss', platform: '85', rules: '80', difference: '5' },
          { field: 'delta', platform: '200', rules: '195', difference: '5' },
        ],
      },
    ],
  })
  const rows: Record<string, string>[] = parse(readFileSync(join(home.folder, 'settlement.csv')), { columns: true })
  expect(rows.map(({ slip_id, field, platform, rules }) => [slip_id, field, platform, rules])).toContainEqual([
    slipId,
    'B.return',
    '200',
    '195',
  ])
  expect(readFileSync(join(home.folder, 'settlement.html'), 'utf8')).toContain(slipId)

  const shown = await people(home, `reconcile settlement ${day} --book book.db`, 9)
  expect(shown.stdout).toMatch(/has differences: 1 slip settled differently/)
  expect(shown.stdout).toMatch(/B\.return +200 +195 +5/)
  const [id] = wrong.data['breaks'] as string[]
  const list = await json(home, 'reconcile breaks list --kind settlement --book book.db', 0)
  expect(list.data).toMatchObject({ breaks: [{ id, subject: slipId, player: 'amy', amount: '5', times: 2 }] })
  const explained = await people(home, `reconcile explain ${id} --offline --all --book book.db`, 0)
  expect(explained.stdout).toMatch(/B\.return +200 +195 +5/)

  await undo()
  await json(home, `reconcile settlement ${day} --book book.db`, 0)
  const after = await json(home, `reconcile breaks show ${id} --book book.db`, 0)
  expect(after.data).toMatchObject({ break: { state: 'cleared' } })
  await spoil(home, slipId)
  await json(home, `reconcile settlement ${day} --book book.db`, 9)
  const again = await json(home, `reconcile breaks show ${id} --book book.db`, 0)
  expect(again.data).toMatchObject({ break: { state: 'open' } })
})

test('stated settings are stored and removed; impossible ones, days and files are refused', async () => {
  const place = await served()
  const { home } = await aDay(place)
  const line = `reconcile settlement ${day} --book book.db`
  const stated = await json(home, `${line} --rule NN-01:commission=0.05`, 9)
  expect(stated.data).toMatchObject({
    wrong: 1,
    tables: [{ tableId: 'NN-01', settings: 'commission=0.05', from: 'stated' }],
  })
  await json(home, line, 9)
  await json(home, `${line} --rule NN-01:default`, 0)
  await json(home, `${line} --rule NN-01:commission=0.05 --no-keep`, 9)
  await json(home, line, 0)
  for (const bad of ['NN-01:commission=5', 'NN-01:comission=0.05', 'NN-01', ':commission=0.05'])
    expect((await people(home, `${line} --rule ${bad}`, 2)).stderr).toContain('--rule')
  await people(home, 'reconcile settlement 2026-02-30 --book book.db', 2)
  await people(home, `${line} --report nowhere/x.html`, 2)
  await people(home, `reconcile settlement ${day} --book none.db`, 5)
  const earlier = await json(home, 'reconcile settlement 2020-01-01 --book book.db', 11)
  expect(earlier.data).toMatchObject({ verdict: 'cannot-conclude', reasons: [{ code: 'BOOK_BEGINS_LATER' }] })
})
