import { expect, test } from 'vitest'
import { dayAfter, dayOf } from '../../../src/domain/time/day.ts'
import { changeRound, dealExactly } from '../../../src/services/casino/simulator/index.ts'
import { type Home, run, runJson } from '../../support/program/cli.ts'
import { remoteHome, served } from '../../support/worlds/served.ts'

const words = (line: string) => line.split(' ')
const json = async (home: Home, line: string, code: number) => {
  const result = await runJson(words(line), { home })
  expect([line, result.code, result.code === code ? '' : result.stdout]).toEqual([line, code, ''])
  return result
}

interface Entry {
  readonly command: string
  readonly subject: string
  readonly outcome: string
}

const noon = (Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000 + 4 * 3_600_000
const day = dayOf(noon, 'Asia/Taipei')
const next = dayAfter(day, 1)

test('a wrong day boundary is detected, corrected and removed; runs and explanations report it', async () => {
  const place = await served()
  const home = await remoteHome(place)
  const deal = (amount: string) =>
    dealExactly(place.world.casino, 'DEMO-SBX', {
      tableId: 'BAC-01',
      variant: 'classic',
      cardInfo: 'QD3D4C3SAH--',
      slips: [{ username: 'amy', bets: { P: amount } }],
    })
  await place.world.clock.set(noon)
  const { roundId } = await deal('100')
  // The next day in Taipei, and well within the 24 hours in which a round can be voided.
  await place.world.clock.set(noon + 20 * 3_600_000)
  expect((await changeRound(place.world.casino, roundId, { void: true })).round.status).toBe('void')
  await place.world.clock.set(noon + 72 * 3_600_000)
  await deal('1')
  expect((await run(words('bets sync --out bets --book book.db'), { home })).code).toBe(0)

  const plain = await json(home, `reconcile daily ${day} --book book.db`, 0)
  expect(plain.data).toMatchObject({ dayRule: { from: 'documented' }, boundary: null, kept: { dayRule: null } })

  // The void moves the slip to the next day, where the platform does not count it.
  const given = await json(home, `reconcile daily ${day} --book book.db --day-rule latest-revision`, 9)
  expect(given.data).toMatchObject({
    dayRule: { basis: 'latest-revision', from: 'given' },
    boundary: { match: { basis: 'first-settlement', timezone: 'Asia/Taipei' } },
    kept: { dayRule: 'latest-revision@Asia/Taipei' },
  })
  // The other rule explains everything: no player's records contradict the summary.
  expect(given.data['explanations']).toMatchObject([{ code: 'OTHER_DAY_BOUNDARY' }])
  expect(given.data['next']).toEqual([expect.stringMatching(/--day-rule first-settlement@Asia\/Taipei$/)])
  const explained = await run(words(`reconcile explain ${day} --all --book book.db`), { home })
  expect(explained.stdout).toContain('Slips count by latest revision, in Asia/Taipei')
  expect(explained.stdout).toContain('Day boundary: every figure is the platform')

  const again = await run(words(`reconcile daily ${next} --book book.db`), { home })
  expect(again.code).toBe(9)
  expect(again.stdout).toMatch(/Slips count by latest revision, in Asia\/Taipei, as .* showed; remembered in the book/)
  expect(again.stdout).toMatch(/first-settlement +Asia\/Taipei/)
  expect(again.stderr).toContain('Forgot the remembered day boundary')
  const after = await json(home, `reconcile daily ${next} --book book.db`, 0)
  expect(after.data).toMatchObject({ dayRule: { from: 'documented' } })

  // The line names the zone of the rule, whose day has its own hours.
  const inUtc = await run(words(`reconcile daily ${day} --book book.db --day-rule each-revision@UTC --no-keep`), {
    home,
  })
  expect([inUtc.code, inUtc.stdout]).toEqual([9, expect.stringContaining(`${day} in UTC (24 hours)`)])
  expect((await json(home, `reconcile daily ${day} --book book.db --day-rule documented`, 0)).data).toMatchObject({
    dayRule: { from: 'documented' },
  })
  // Each run that kept its result is in the audit trail with its start and its outcome, and names the rule that it remembered.
  const { entries } = (await json(home, 'audit list --book book.db', 0)).data as { entries: Entry[] }
  const runs = entries.filter(({ command, outcome }) => command === 'reconcile daily' && outcome !== 'started')
  expect(runs.map(({ subject, outcome }) => `${subject}: ${outcome}`).reverse()).toEqual([
    `${day}: ok`,
    `${day} --day-rule latest-revision@Asia/Taipei: DIFFERENCES (exit 9)`,
    `${next} --day-rule documented: DIFFERENCES (exit 9)`,
    `${next}: ok`,
    `${day} --day-rule documented: ok`,
  ])
  for (const rule of ['revision', 'each-revision@Moon'])
    expect((await run(words(`reconcile daily ${day} --book book.db --day-rule ${rule}`), { home })).code).toBe(2)
})
