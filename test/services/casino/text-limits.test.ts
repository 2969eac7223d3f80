import { expect, test } from 'vitest'
import { openApiOf } from '../../../src/http/docs/openapi.ts'
import { createLimitProfile, createTable, topUp } from '../../../src/services/casino/admin/index.ts'
import { sendTest } from '../../../src/services/casino/admin/webhook-settings.ts'
import { casino as contract } from '../../../src/services/casino/api/contract.ts'
import { aPlayer, aTenant, refuses } from '../../support/worlds/people.ts'
import { testWorld } from '../../support/worlds/world.ts'

const letters = (count: number) => 'x'.repeat(count)
/** One character each, though two in UTF-16. */
const dice = (count: number) => '🎲'.repeat(count)

test('a nickname has at most 64 characters, at a launch and at an update', async () => {
  const { client } = await aTenant(await testWorld())
  for (const [i, nickname] of [letters(64), dice(64)].entries()) {
    const username = `player-${i}`
    await client.launch({ body: { username, nickname } })
    expect(await client.player({ query: { username } })).toMatchObject({ nickname })
    expect(await client.updatePlayer({ body: { username, nickname: nickname.toUpperCase() } })).toMatchObject({
      nickname: nickname.toUpperCase(),
    })
  }
  for (const nickname of [letters(65), dice(65)]) {
    const launched = await refuses('INVALID_PARAMETER', client.launch({ body: { username: 'new', nickname } }))
    const updated = await refuses(
      'INVALID_PARAMETER',
      client.updatePlayer({ body: { username: 'player-0', nickname } }),
    )
    expect([launched.message, updated.message]).toEqual([
      expect.stringContaining('nickname'),
      expect.stringContaining('nickname'),
    ])
  }
  await refuses('PLAYER_NOT_FOUND', client.player({ query: { username: 'new' } }))
  expect(await client.player({ query: { username: 'player-0' } })).toMatchObject({
    nickname: letters(64).toUpperCase(),
  })
})

test('a lobby address has at most 2,000 characters', async () => {
  const tenant = await aTenant(await testWorld())
  const { username } = await aPlayer(tenant)
  const lobbyUrl = (count: number) => `https://casino.example/${letters(count)}`.slice(0, count)
  await tenant.client.launch({ body: { username, lobbyUrl: lobbyUrl(2000) } })
  const refused = await refuses(
    'INVALID_PARAMETER',
    tenant.client.launch({ body: { username, lobbyUrl: lobbyUrl(2001) } }),
  )
  expect(refused.message).toContain('lobbyUrl')
})

test('the reference states these lengths', () => {
  const text = JSON.stringify(openApiOf(contract))
  expect(text).toMatch(/"nickname":\{[^{}]*"maxLength":64/)
  expect(text).toMatch(/"lobbyUrl":\{[^{}]*"maxLength":2000/)
})

test('texts of the console have maximum lengths, and an overlong one changes nothing', async () => {
  const world = await testWorld()
  const { code, client } = await aTenant(world)
  const app = world.casino
  const table = (tableId: string, more: object) => createTable(app, code, { tableId, game: 'baccarat', ...more })
  await table('OWN-01', { name: letters(100), provider: dice(100) })
  const profile = (name: string) =>
    createLimitProfile(app, code, { name, game: 'baccarat', currency: 'USD', min: '1', max: '2' })
  await profile(letters(100))
  await topUp(app, code, '1', letters(200))
  const tooLong = [
    ['name', table('OWN-02', { name: letters(101) })],
    ['name', table('OWN-02', { name: '' })],
    ['provider', table('OWN-02', { provider: dice(101) })],
    ['name', profile(letters(101))],
    ['name', profile('')],
    ['ref', topUp(app, code, '1', letters(201))],
    ['ref', topUp(app, code, '1', '')],
    ['message', sendTest(app, code, letters(501))],
  ] as const
  for (const [field, refused] of tooLong) expect((await refuses('INVALID_PARAMETER', refused)).message).toContain(field)
  const { tables } = await client.tables({})
  expect(tables.map(({ tableId }) => tableId)).not.toContain('OWN-02')
  expect(await client.account({})).toMatchObject({ balanceUsd: '1' })
})
