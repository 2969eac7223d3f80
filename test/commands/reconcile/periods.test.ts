import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { dayOf } from '../../../src/domain/time/day.ts'
import { sha256Hex } from '../../../src/kit/hmac.ts'
import { changeRound, dealExactly } from '../../../src/services/casino/simulator/index.ts'
import { aReceiver } from '../../support/http/receiver.ts'
import { asApprover } from '../../support/program/approver.ts'
import { type Home, run, runJson } from '../../support/program/cli.ts'
import { remoteHome, type Served, served } from '../../support/worlds/served.ts'

/** Returns the words of a line. An approver's name has its passphrase. */
const words = (line: string, { folder }: Home) =>
  line
    .replace(
      /(periods (?:close|approve) .*)--as (\w+)/,
      (_, start, name) => `${start}--as ${name} --passphrase-file ${folder}/passphrases/${name.toLowerCase()}`,
    )
    .split(' ')
const shell = (home: Home) => ({
  people: async (line: string, code: number) => {
    const result = await run(words(`${line} --book book.db`, home), { home })
    expect([line, result.code, result.code === code ? '' : result.stderr]).toEqual([line, code, ''])
    return result
  },
  json: async (line: string, code: number) => {
    const result = await runJson(words(`${line} --book book.db`, home), { home })
    expect([line, result.code, result.code === code ? '' : result.stdout]).toEqual([line, code, ''])
    return result
  },
})

const noon = (Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000 + 4 * 3_600_000
const day = dayOf(noon, 'Asia/Taipei')

async function aDay(place: Served): Promise<{ home: Home; roundId: string }> {
  const home = await remoteHome(place)
  await place.world.clock.set(noon)
  const deal = (amounts: Record<string, string>) =>
    dealExactly(place.world.casino, 'DEMO-SBX', {
      tableId: 'BAC-01',
      variant: 'classic',
      cardInfo: 'QD3D4C3SAH--',
      slips: Object.entries(amounts).map(([username, amount]) => ({ username, bets: { P: amount } })),
    })
  const { roundId } = await deal({ amy: '100', bob: '40' })
  await deal({ bob: '2.5' })
  await place.world.clock.set(noon + 14 * 3_600_000)
  await deal({ cho: '1' })
  await shell(home).people('bets sync --out bets', 0)
  for (const name of ['amelia', 'bert']) await asApprover(home, name, ['--book', 'book.db'])
  return { home, roundId }
}

describe('a period', () => {
  test('is closed by one person, approved by another, restated by a late void, reopened and closed again', async () => {
    const place = await served()
    const { home, roundId } = await aDay(place)
    const { people, json } = shell(home)

    const early = await json(`reconcile periods close ${day} --as amelia`, 9)
    expect(early).toMatchObject({
      data: {
        state: 'open',
        done: false,
        openDays: [
          { date: day, reasons: [`not reconciled: countroom reconcile daily --profile remote --book book.db ${day}`] },
        ],
      },
      error: { code: 'PERIOD_OPEN' },
    })
    const month = await people(`reconcile periods close ${day.slice(0, 7)} --as amelia`, 9)
    // Days in a row with the same reason share a line and a command.
    expect(month.stdout.split('\n').length).toBeLessThan(6)
    expect(month.stdout).toContain('not reconciled: countroom reconcile daily --profile remote --book book.db ')
    await json(`reconcile daily ${day}`, 0)
    expect((await json(`reconcile periods approve ${day} --as bert`, 6)).error.message).toMatch(/Close it first/)
    expect((await json(`reconcile periods close ${day} --as amelia --dry-run`, 0)).data).toMatchObject({
      state: 'open',
      done: false,
    })
    const closed = await json(`reconcile periods close ${day} --as amelia`, 0)
    expect(closed.data).toMatchObject({
      ...{ period: day, state: 'closed', days: [{ date: day, verdict: 'balanced' }] },
      ...{ breaks: { open: 0, closed: 0 }, closedBy: 'amelia', approvedBy: null, done: true },
    })
    await json(`reconcile periods close ${day} --as bert`, 6)
    for (const name of ['amelia', 'AMELIA'])
      expect((await json(`reconcile periods approve ${day} --as ${name}`, 6)).error.message).toMatch(
        new RegExp(
          `another person must approve it. To approve it as bert: countroom .*${day} --as bert --passphrase-file -$`,
        ),
      )
    await json(`reconcile periods approve ${day} --as bert`, 0)
    const approved = await json(`reconcile periods show ${day}`, 0)
    expect(approved.data).toMatchObject({
      ...{ state: 'approved', closedBy: 'amelia', approvedBy: 'bert', restated: [] },
      totals: [{ currency: 'USD', slips: '3', stake: '142.5', winLoss: '-142.5', ggr: '142.5' }],
      lines: [{ date: day, game: 'baccarat', tableId: 'BAC-01', currency: 'USD', ggr: '142.5' }],
      bookFiles: [{ file: expect.stringMatching(/^bets-\d{4}-\d{2}\.csv$/) }],
    })
    const { reportId } = approved.data
    expect((await json(`reconcile periods show ${day}`, 0)).data['reportId']).toBe(reportId)

    await changeRound(place.world.casino, roundId, { void: true })
    await people('bets sync --out bets', 0)
    const { url, got, waitFor } = await aReceiver()
    const env = { COUNTROOM_NOTIFY: url }
    const found = await runJson(words('reconcile restated --book book.db', home), { home, env })
    expect([found.code, found.data]).toMatchObject([9, { periods: [day] }])
    await waitFor(2)
    const restatements = () => got.filter(({ body: { event } }) => event === 'period.restated').map(({ body }) => body)
    const breaks = [expect.any(String), expect.any(String)]
    expect(restatements()).toEqual([expect.objectContaining({ items: [{ period: day, breaks }] })])
    await runJson(words('reconcile restated --book book.db', home), { home, env })
    expect(restatements()).toHaveLength(1)
    const restated = await json(`reconcile periods show ${day} --report restated.html`, 9)
    // Figures by their names, and no line break inside of an ID or a date.
    const page = readFileSync(join(home.folder, 'restated.html'), 'utf8')
    expect(page).toContain('<td class="whole">Win/loss (players)</td>')
    expect(page).toMatch(/<th scope="row" class="id whole">period-\w+<\/th>/)
    expect(restated.data).toMatchObject({
      state: 'restated',
      totals: [{ stake: '142.5' }],
      restated: [
        {
          player: 'amy',
          currency: 'USD',
          fields: expect.arrayContaining([{ field: 'winLoss', before: '-100', after: '0', change: '100' }]),
        },
        {
          player: 'bob',
          currency: 'USD',
          fields: expect.arrayContaining([{ field: 'winLoss', before: '-42.5', after: '-2.5', change: '40' }]),
        },
      ],
    })
    expect(restated.data['reportId']).not.toBe(reportId)
    const list = await json(`reconcile breaks list --kind period`, 0)
    expect(list.data).toMatchObject({ count: 2 })
    const [first] = list.data['breaks'] as { id: string; message: string; amount: string; player: string }[]
    expect(first?.message).toMatch(/closed period .* changed by \+(100|40) USD/)
    expect((await people(`reconcile explain ${first?.id} --offline`, 0)).stdout).toContain(
      `countroom reconcile periods show`,
    )
    expect((await people('reconcile periods list', 9)).stdout).toMatch(new RegExp(`${day} +restated`))
    await json(`reconcile periods approve ${day} --as bert`, 6)

    await json(`reconcile periods reopen ${day} --as carl --reason Voided`, 0)
    expect((await json('reconcile breaks list --kind period', 0)).data).toMatchObject({ count: 0 })
    expect((await json(`reconcile periods close ${day} --as amelia`, 9)).data).toMatchObject({
      openDays: [
        {
          date: day,
          reasons: [
            expect.stringContaining('1 open break'),
            expect.stringContaining('changed after it was reconciled'),
          ],
        },
      ],
    })
    await json(`reconcile restated --accept --day ${day}`, 0)
    await json(`reconcile daily ${day}`, 0)
    await json(`reconcile periods close ${day} --as amelia`, 0)
    await json(`reconcile periods approve ${day} --as bert`, 0)
    const again = await json(`reconcile periods show ${day}`, 0)
    expect(again.data).toMatchObject({ state: 'approved', totals: [{ stake: '2.5', ggr: '2.5' }], restated: [] })
    expect((again.data['history'] as { what: string; by: string }[]).map(({ what, by }) => `${what} ${by}`)).toEqual([
      ...['closed amelia', 'approved bert', 'reopened carl', 'closed amelia', 'approved bert'],
    ])
  })

  test('has a report to sign and its figures as CSV', async () => {
    const place = await served()
    const { home } = await aDay(place)
    const { json, people } = shell(home)
    await json(`reconcile daily ${day}`, 0)
    await json(`reconcile periods close ${day} --as amelia`, 0)
    const shown = await json(`reconcile periods show ${day} --report period.html --csv period.csv`, 0)
    const csv = readFileSync(join(home.folder, 'period.csv'))
    const rows: Record<string, string>[] = parse(csv, { columns: true })
    expect(rows).toEqual([
      {
        ...{
          period: day,
          state: 'closed',
          date: day,
          game: 'baccarat',
          table_id: 'BAC-01',
          currency: 'USD',
          slips: '3',
        },
        ...{
          stake: '142.5',
          valid_stake: '142.5',
          rolling: '142.5',
          payout: '0',
          win_loss: '-142.5',
          rake: '0',
          ggr: '142.5',
        },
      },
    ])
    const page = readFileSync(join(home.folder, 'period.html'), 'utf8')
    for (const text of [
      shown.data['reportId'] as string,
      sha256Hex(csv.toString()),
      'Closed by: <bdi>amelia</bdi>',
      'counter(pages)',
      'Signatures',
      'GGR',
    ])
      expect(page).toContain(text)
    await json(`reconcile periods show ${day} --report period.html`, 6)
    await people(`reconcile periods show ${day} --report period.html --force`, 0)
  })

  test('bad input changes nothing', async () => {
    const place = await served()
    const { home } = await aDay(place)
    const { json } = shell(home)
    for (const text of ['2026-02-30', '2026-13', 'march']) await json(`reconcile periods close ${text}`, 2)
    await json(`reconcile periods reopen ${day} --reason x`, 6)
    await json(`reconcile periods approve ${day}`, 6)
    expect((await json('reconcile periods close 2099-01', 9)).data).toMatchObject({
      openDays: expect.arrayContaining([{ date: '2099-01-31', reasons: ['not over'] }]),
    })
    expect((await json('reconcile periods list', 0)).data).toMatchObject({ periods: [] })
  })
})
