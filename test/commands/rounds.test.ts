import { expect, test } from 'vitest'
import { dealExactly } from '../../src/services/casino/simulator/index.ts'
import { noTerminal, run, runJson, runOnTerminal } from '../support/program/cli.ts'
import { faultyProxy, localHome, remoteHome, served } from '../support/worlds/served.ts'

const words = (line: string) => line.split(' ')
const sixer = {
  tableId: 'BAC-01',
  variant: 'nocomm',
  cardInfo: 'QD3D4C3SAH--',
  slips: [{ username: 'amy', bets: { B: '100' } }],
}

test('a round is shown as the API returns it, and explained', async () => {
  const world = await served()
  const home = await remoteHome(world, { environment: 'live' })
  const { roundId } = await dealExactly(world.world.casino, 'DEMO', sixer)
  const { code, data } = await runJson(['rounds', 'show', roundId.toLowerCase()], { home })
  expect(code).toBe(0)
  expect(data).toMatchObject({
    roundId,
    tableId: 'BAC-01',
    status: 'settled',
    code: '7',
    cardInfo: 'QD3D4C3SAH--',
    rev: 1,
    game: 'baccarat',
    explained: [expect.stringContaining('Banker wins with six'), 'Banker pair.'],
  })
  const text = await run(['rounds', 'show', roundId], { home })
  expect(text.stdout).toMatch(
    /^Baccarat at BAC-01, shoe \S+, round \d+ {2}settled\n.* revision 1 {2}code 7 {2}settled .*\n\n {2}Player {2}QD 4C AH {2}5\n {2}Banker {2}3D 3S {5}6 {2}wins\n/,
  )
})

test.skipIf(noTerminal)('a terminal with Unicode draws the suits', async () => {
  const home = await localHome()
  const world = await home.open()
  const { roundId } = await dealExactly(world.casino, 'DEMO', sixer)
  await world.close()
  const drawn = await runOnTerminal(['rounds', 'show', roundId, '--no-color'], [], { home, env: { LANG: 'C.UTF-8' } })
  expect(drawn.screen).toContain('Q♦ 4♣ A♥')
  const spelled = await runOnTerminal(['rounds', 'show', roundId], [], { home, env: { LANG: 'C' } })
  expect(spelled.screen).toContain('QD')
})

test('a corrected round shows its last result; for a code without cards the table names the game', async () => {
  const home = await localHome()
  const world = await home.open()
  const corrected = await dealExactly(world.casino, 'DEMO', {
    ...sixer,
    then: [{ correct: { cardInfo: '5H4S3C5D----' } }],
  })
  const bare = await dealExactly(world.casino, 'DEMO', { tableId: 'BAC-01', code: '2', slips: [] })
  const voided = await dealExactly(world.casino, 'DEMO', { ...sixer, then: [{ void: true }] })
  await world.close()
  const show = async (id: string) => (await runJson(['rounds', 'show', id], { home })).data
  expect(await show(corrected.roundId)).toMatchObject({
    rev: 2,
    explained: ['Banker wins.', 'The result was corrected once.'],
  })
  expect(await show(bare.roundId)).toMatchObject({
    game: 'baccarat',
    explained: ['Player wins.', expect.stringContaining('Not all cards')],
  })
  expect(await show(voided.roundId)).toMatchObject({ status: 'void', explained: [expect.stringContaining('void')] })
})

test('a malformed ID is rejected before any request; an unknown one by the platform', async () => {
  const world = await served()
  const proxy = await faultyProxy(world.url)
  const home = await remoteHome(world, { at: proxy.url })
  for (const id of ['x', '1'.repeat(27), 'é'.repeat(26), '../../../account?a=bbbbbbbb']) {
    const { code, error } = await runJson(['rounds', 'show', id], { home })
    expect([id, code, error.code]).toEqual([id, 2, 'INVALID_PARAMETER'])
  }
  expect(proxy.seen).toEqual([])
  const none = await runJson(words('rounds show 01JQ7Z6Y3V8T2M9K4H5N0B1C2D'), { home })
  expect([none.code, none.error.remoteCode]).toEqual([5, 'ROUND_NOT_FOUND'])
})
