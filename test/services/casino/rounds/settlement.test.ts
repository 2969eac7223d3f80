import { expect, test } from 'vitest'
import { createLimitProfile } from '../../../../src/services/casino/admin/index.ts'
import { lastButton, roundOf } from '../../../../src/services/casino/queries/rounds.ts'
import { changeRound } from '../../../../src/services/casino/simulator/index.ts'
import { anOpenRound, aPlayer, aRound, aSlip, aTenant, balanceOf, refuses } from '../../../support/worlds/people.ts'
import { testWorld } from '../../../support/worlds/world.ts'

/** Bets and settlements at the limits of a balance, an amount and a profile. */

async function aTable() {
  const world = await testWorld()
  const tenant = await aTenant(world, { tables: ['BAC-01', 'DT-01'] })
  return { world, tenant }
}

test.each([
  ['195', '0', 'settled'],
  ['195.0001', '0.0001', 'settled'],
  ['194.9999', '194.9999', 'disputed'],
])('a correction that reverses 195 of %s leaves %s, the round %s', async (left, after, status) => {
  const { world, tenant } = await aTable()
  const player = await aPlayer(tenant, { username: 'amy', balance: '1000' })
  const { roundId } = await aSlip(player, { B: '100' })
  const amount = (1095 - Number(left)).toFixed(4)
  await tenant.client.withdraw({ body: { username: 'amy', txnId: 'out', amount, currency: 'USD' } })
  expect(await balanceOf(player)).toBe(left)
  const { round } = await changeRound(world.casino, roundId, { correct: { cardInfo: 'KS4H7D2C----' } })
  expect([await balanceOf(player), round.status]).toEqual([after, status])
})

test('a void that returns every stake is allowed with any balance', async () => {
  const { world, tenant } = await aTable()
  const player = await aPlayer(tenant, { username: 'amy', balance: '100' })
  const { roundId } = await aSlip(player, { P: '100' })
  expect(await balanceOf(player)).toBe('0')
  expect(await changeRound(world.casino, roundId, { void: true })).toMatchObject({ round: { status: 'void' } })
  expect(await balanceOf(player)).toBe('100')
})

test('the bets of a slip may come to a 1001st of the largest amount', async () => {
  const { tenant } = await aTable()
  const player = await aPlayer(tenant, { username: 'rich', balance: '999999999999999.9999' })
  await refuses('BET_REFUSED', aSlip(player, { T: '999000999000.9991' }))
  expect(await balanceOf(player)).toBe('999999999999999.9999')
  await aSlip(player, { T: '999000999000.999' })
})

test('a profile limits the players who have it, and no other', async () => {
  const { world, tenant } = await aTable()
  const [amy, bob] = [await aPlayer(tenant, { username: 'amy' }), await aPlayer(tenant, { username: 'bob' })]
  const input = { name: 'own', game: 'baccarat', currency: 'USD', min: '5', max: '50' }
  const { id: limitProfileId } = await createLimitProfile(world.casino, tenant.code, input)
  await tenant.client.updatePlayer({ body: { username: 'bob', limitProfileId } })
  await refuses('BET_REFUSED', aSlip(bob, { B: '60' }))
  await aSlip(amy, { B: '60' })
  const slips = [
    { username: 'amy', bets: { B: '60' } },
    { username: 'bob', bets: { B: '50' } },
  ]
  await aRound(tenant, { slips })
})

test.each([
  ['300', '0'],
  ['299.9999', 'INSUFFICIENT_BALANCE'],
])('a double bet of 100 holds 200 on top of its stake: a balance of %s ends in %s', async (balance, expected) => {
  const world = await testWorld()
  const tenant = await aTenant(world, { tables: ['NN-01'] })
  const player = await aPlayer(tenant, { username: 'amy', balance })
  const bet = anOpenRound(tenant, 'NN-01', [{ username: 'amy', variant: 'standard', bets: { P1D: '100' } }])
  if (expected === 'INSUFFICIENT_BALANCE') await refuses(expected, bet)
  else await bet
  expect(await balanceOf(player)).toBe(expected === 'INSUFFICIENT_BALANCE' ? balance : expected)
})

test.each([
  ['without bets', [], Date.parse('2027-05-06T00:00:00.000Z')],
  ['with bets', [{ username: 'amy', bets: { B: '10' } }], null],
] as const)('a round %s is stored alike after its result, a correction and a void', async (_, slips, until) => {
  const { world, tenant } = await aTable()
  await aPlayer(tenant, { username: 'amy' })
  const { roundId } = await aRound(tenant, { slips })
  const keptUntil = async () => (await world.store.read((reader) => roundOf(reader, roundId)))?.forget_at
  expect(await keptUntil()).toBe(until)
  await changeRound(world.casino, roundId, { correct: { cardInfo: 'KS4H7D2C----' } })
  expect(await keptUntil()).toBe(until)
  await changeRound(world.casino, roundId, { void: true })
  expect(await keptUntil()).toBe(until)
})

test('a no-limit hand leaves its button to the next one', async () => {
  const world = await testWorld()
  const tenant = await aTenant(world, { tables: ['HE-03'] })
  for (const username of ['amy', 'bob']) await aPlayer(tenant, { username })
  const button = () => world.store.read((reader) => lastButton(reader, 'live', 'HE-03'))
  expect(await button()).toBe(null)
  const slips = [
    { username: 'amy', seat: 1, hole: 'KS KD', bets: { POT: '29' } },
    { username: 'bob', seat: 3, hole: '8S 8H', bets: { POT: '29' } },
  ]
  const { roundId } = await aRound(tenant, { tableId: 'HE-03', cardInfo: 'KC 8D 3S 5H 2C', button: 3, slips })
  expect(await button()).toBe(3)
  expect(await world.store.read((reader) => roundOf(reader, roundId))).toMatchObject({ button: 3 })
})

test('a placed slip has its stake and no other amount', async () => {
  const tenant = await aTenant(await testWorld(), { tables: ['BAC-01'] })
  await aPlayer(tenant, { username: 'amy', balance: '100' })
  await anOpenRound(tenant, 'BAC-01', [{ username: 'amy', bets: { B: '30' } }])
  const slips = await tenant.world.store.read(({ q }) => q.selectFrom('casino_slips').selectAll().execute())
  const nothing = { valid_stake: '0', rolling: '0', payout: '0', win_loss: '0', rake: '0' }
  expect(slips).toMatchObject([{ status: 'placed', stake: '30', ...nothing }])
})
