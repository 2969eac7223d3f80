import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dayOf } from '../../../src/domain/time/day.ts'
import { openBook } from '../../../src/operator/book/book.ts'
import { dealExactly } from '../../../src/services/casino/simulator/index.ts'
import { type Home, run, runJson } from '../../support/program/cli.ts'
import { faultyProxy, remoteHome, served } from '../../support/worlds/served.ts'

const words = (line: string) => line.split(' ')
const noon = (Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000 + 4 * 3_600_000
const day = dayOf(noon, 'Asia/Taipei')

/** Removes the revisions of a slip from a book, as if its page had been lost. */
async function forget(home: Home, slipId: string): Promise<void> {
  const book = await openBook(join(home.folder, 'book.db'))
  await book.store.write(({ q }) => q.deleteFrom('book_revisions').where('slip_id', '=', slipId).execute())
  await book.close()
}

test('a part of an explanation that the platform fails to answer is named, counted, and ends with 11', async () => {
  const place = await served()
  const proxy = await faultyProxy(place.url)
  const remote = await remoteHome(place, { at: proxy.url })
  const home = {
    ...remote,
    env: { ...remote.env, COUNTROOM_BOOK: join(remote.folder, 'book.db'), COUNTROOM_ATTEMPTS: '1' },
  }
  const json = async (line: string, code: number) => {
    const result = await runJson(words(line), { home })
    expect([line, result.code, result.code === code ? '' : result.stdout]).toEqual([line, code, ''])
    return result
  }
  const fails = async (path: RegExp, line: string, code: number) => {
    proxy.treat(path, ...Array(20).fill('status-500'))
    const result = await json(line, code)
    proxy.treat(/^$/)
    return result
  }
  await place.world.clock.set(noon)
  const dealt = (username: string) =>
    dealExactly(place.world.casino, 'DEMO-SBX', {
      tableId: 'BAC-01',
      variant: 'classic',
      cardInfo: 'QD3D4C3SAH--',
      slips: [{ username, bets: { P: '100' } }],
    })
  const [ofAmy, ofBob] = [await dealt('amy'), await dealt('bob')]
  const slipOf = ({ revisions }: typeof ofAmy) => revisions[0]?.bets[0]?.slipId ?? ''
  await place.world.clock.set(noon + 14 * 3_600_000)
  await dealt('cho')
  expect((await run(words('bets sync --out bets'), { home })).code).toBe(0)

  const slip = await fails(/\/rounds\//, `reconcile explain ${slipOf(ofBob)}`, 11)
  expect(slip.data).toMatchObject({
    slip: { slipId: slipOf(ofBob), player: 'bob' },
    round: null,
    missing: [expect.stringMatching(/^Current round at the platform: .*\(REMOTE_UNAVAILABLE\)$/)],
  })
  expect(slip.error).toMatchObject({
    code: 'CANNOT_CONCLUDE',
    message: '1 part of the explanation could not be read. Try again later',
  })
  expect((await json(`reconcile explain ${slipOf(ofBob)}`, 0)).data).toMatchObject({
    round: { status: 'settled' },
    missing: [],
  })

  await forget(home, slipOf(ofAmy))
  const daily = await json(`reconcile daily ${day}`, 9)
  const [{ id } = { id: '' }] = (daily.data['kept'] as { breaks: { id: string }[] }).breaks
  // The records of the day decide which slips differ; the summary alone does not.
  expect((await fails(/\/bets\?(.*&)?from=/, `reconcile explain ${day}`, 11)).data).toMatchObject({
    day: { verdict: 'differences' },
    missing: [expect.stringMatching(/^Records of the day: .*REMOTE_UNAVAILABLE/)],
  })
  await fails(/\/bets\?/, `reconcile explain ${day}`, 7)
  // Without the summary there is no explanation of a day, but one of its break: as the run found it.
  await fails(/\/summary/, `reconcile explain ${day}`, 7)
  expect((await fails(/\/summary/, `reconcile explain ${id}`, 11)).data).toMatchObject({
    break: { id },
    day: {
      verdict: 'differences',
      differences: expect.arrayContaining([expect.objectContaining({ player: 'amy', field: 'winLoss' })]),
    },
    missing: [expect.stringMatching(/^Day at the platform: /)],
  })
  proxy.treat(/\/summary/, 'status-500')
  const screen = await run(words(`reconcile explain ${id}`), { home })
  proxy.treat(/^$/)
  expect([screen.code, screen.stdout]).toEqual([11, expect.not.stringContaining('No cause was found')])
  // The command to paste states no cause, which only a person can determine.
  expect(screen.stdout).toContain('countroom help reconcile breaks close\n')
  expect(screen.stdout).not.toContain('--reason')
  const pack = await fails(/\/summary/, `reconcile breaks evidence ${id} --out case`, 11)
  expect(pack.data).toMatchObject({ break: id, missing: [expect.stringMatching(/^Day at the platform: /)] })
  expect((await json(`reconcile breaks evidence ${id} --out whole`, 0)).data['missing']).toEqual([])
  // The page names figures in words, and counts have no decimals.
  const page = readFileSync(join(home.folder, 'whole', 'case.html'), 'utf8')
  expect(page).toMatch(/<bdi>Slips \(USD\)<.*<bdi>1 slip<.*<bdi>0 slips</)
  expect(page).not.toMatch(/<bdi>(winLoss|validStake)/)
})
