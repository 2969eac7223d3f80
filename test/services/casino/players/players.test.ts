import { describe, expect, test } from 'vitest'
import { createLimitProfile, setLimits } from '../../../../src/services/casino/admin/index.ts'
import { open } from '../../../support/browser/browser.ts'
import { aPlayer, aTenant, balanceOf, refuses } from '../../../support/worlds/people.ts'
import { testWorld } from '../../../support/worlds/world.ts'

async function aLobby(options: Parameters<typeof aTenant>[1] = {}) {
  const world = await testWorld()
  const tenant = await aTenant(world, options)
  return { world, tenant, ...tenant.client }
}

describe('a player', () => {
  test('is created by the first launch, in the primary currency, active and with balance 0', async () => {
    const { world, launch, player } = await aLobby({ currency: 'TWD', currencies: ['USD'] })
    await launch({ body: { username: 'Amy.B@x-1_', nickname: 'Ä' } })
    expect(await player({ query: { username: 'amy.b@X-1_' } })).toEqual({
      username: 'Amy.B@x-1_',
      nickname: 'Ä',
      status: 'active',
      currency: 'TWD',
      balance: '0',
      online: false,
      createdAt: new Date(world.casino.machineNow()).toISOString(),
      lastLoginAt: null,
    })
  })

  test('is created by the first deposit, in its currency', async () => {
    const { deposit, player } = await aLobby()
    await deposit({ body: { username: 'bob', txnId: 't', amount: '7', currency: 'twd' } })
    expect(await player({ query: { username: 'bob' } })).toMatchObject({
      username: 'bob',
      nickname: null,
      status: 'active',
      currency: 'TWD',
      balance: '7',
    })
  })

  test('is one player in any case of the name, and keeps the case of the first time', async () => {
    const { tenant, launch, player, deposit, withdraw, balance, transfer, updatePlayer, logout } = await aLobby()
    await launch({ body: { username: 'CamelCase' } })
    await deposit({ body: { username: 'camelcase', txnId: 't1', amount: '5', currency: 'USD' } })
    await withdraw({ body: { username: 'CAMELCASE', txnId: 't2', amount: '2', currency: 'USD' } })
    await launch({ body: { username: 'cAMELcASE', nickname: 'ignored' } })
    const username = 'cameLcasE'
    expect(await player({ query: { username } })).toMatchObject({ username: 'CamelCase', nickname: null })
    expect(await balance({ query: { username } })).toEqual({ balance: '3', currency: 'USD' })
    expect(await transfer({ query: { txnId: 't1', username } })).toMatchObject({ username: 'CamelCase' })
    expect(await updatePlayer({ body: { username, nickname: 'N' } })).toMatchObject({ username: 'CamelCase' })
    expect(await logout({ body: { username } })).toEqual({ kicked: true })
    expect(await balanceOf({ tenant, username: 'camelcase', currency: 'USD' })).toBe('3')
  })

  test('keeps nickname and currency when launched again with others', async () => {
    const { launch, player } = await aLobby()
    await launch({ body: { username: 'amy', nickname: 'A', currency: 'EUR' } })
    await launch({ body: { username: 'amy', nickname: 'B', currency: 'TWD' } })
    await launch({ body: { username: 'amy', currency: 'not a currency at all' } })
    expect(await player({ query: { username: 'amy' } })).toMatchObject({ nickname: 'A', currency: 'EUR' })
  })

  test('of the sandbox differs from the live one with the same name', async () => {
    const { tenant } = await aLobby()
    await aPlayer(tenant, { username: 'amy', balance: '5' })
    await aPlayer(tenant.sandbox, { username: 'amy', balance: '70' })
    expect(await tenant.client.balance({ query: { username: 'amy' } })).toMatchObject({ balance: '5' })
    expect(await tenant.sandbox.client.balance({ query: { username: 'amy' } })).toMatchObject({ balance: '70' })
  })

  test('of another tenant is not found', async () => {
    const world = await testWorld()
    const [one, other] = [await aTenant(world), await aTenant(world)]
    await aPlayer(one, { username: 'amy' })
    await refuses('PLAYER_NOT_FOUND', other.client.player({ query: { username: 'amy' } }))
  })
})

describe('a new player is rejected', () => {
  test.each(['US', 'DOLLAR', 'U$D', '', 'US1', ' USD'])('in the currency %j: INVALID_CURRENCY', async (currency) => {
    const { launch, deposit, player } = await aLobby()
    await refuses('INVALID_CURRENCY', launch({ body: { username: 'amy', currency } }))
    await refuses('INVALID_CURRENCY', deposit({ body: { username: 'amy', txnId: 't', amount: '1', currency } }))
    await refuses('PLAYER_NOT_FOUND', player({ query: { username: 'amy' } }))
  })

  test('in a currency that is not enabled for the operator', async () => {
    const { launch, deposit, player } = await aLobby()
    await refuses('CURRENCY_NOT_ENABLED', launch({ body: { username: 'amy', currency: 'JPY' } }))
    await refuses(
      'CURRENCY_NOT_ENABLED',
      deposit({ body: { username: 'amy', txnId: 't', amount: '1', currency: 'jpy' } }),
    )
    await refuses('PLAYER_NOT_FOUND', player({ query: { username: 'amy' } }))
  })

  test.each(['', 'a b', 'a/b', 'ä', 'a'.repeat(33), 'a\n', 'a\u0000b', '<script>'])(
    'under the name %j',
    async (username) => {
      const { launch, deposit, player, balance, updatePlayer, logout } = await aLobby()
      await refuses('INVALID_USERNAME', launch({ body: { username } }))
      await refuses('INVALID_USERNAME', deposit({ body: { username, txnId: 't', amount: '1', currency: 'USD' } }))
      await refuses('INVALID_USERNAME', updatePlayer({ body: { username } }))
      await refuses('INVALID_USERNAME', logout({ body: { username } }))
      await refuses('INVALID_USERNAME', player({ query: { username } }))
      await refuses('INVALID_USERNAME', balance({ query: { username } }))
    },
  )

  test('without a name: INVALID_PARAMETER in a body, INVALID_USERNAME in a query', async () => {
    const { launch, player, balance, logout } = await aLobby()
    await refuses('INVALID_PARAMETER', launch({ body: {} as never }))
    await refuses('INVALID_PARAMETER', logout({ body: {} as never }))
    await refuses('INVALID_USERNAME', player({ query: {} as never }))
    await refuses('INVALID_USERNAME', balance({ query: {} as never }))
  })

  test('under a name that is not text', async () => {
    const { launch } = await aLobby()
    for (const username of [7, null, ['amy'], { name: 'amy' }])
      await refuses('INVALID_USERNAME', launch({ body: { username } as never }))
  })
})

describe('the player limit', () => {
  test.each([
    ['free', 'live', 50],
    ['paid', 'sandbox', 500],
  ] as const)('of a %s tenant, %s, is %i accounts', async (plan, environment, limit) => {
    const { tenant } = await aLobby({ plan })
    const { client } = environment === 'live' ? tenant : tenant.sandbox
    const make = (i: number) => client.launch({ body: { username: `p${i}` } })
    await Promise.all(Array.from({ length: limit }, (_, i) => make(i)))
    await refuses('PLAYER_LIMIT', make(limit))
    const deposit = { username: 'late', txnId: 't', amount: '1', currency: 'USD' }
    await refuses('PLAYER_LIMIT', client.deposit({ body: deposit }))
    await refuses('PLAYER_NOT_FOUND', client.player({ query: { username: 'late' } }))
    await make(0)
    await client.deposit({ body: { ...deposit, username: 'P1' } })
  })

  test('does not exist on the paid plan', async () => {
    const { launch } = await aLobby()
    for (let i = 0; i < 60; i++) await launch({ body: { username: `p${i}` } })
  })

  test('is not exceeded by concurrent creations', async () => {
    const { world, tenant, launch, deposit } = await aLobby({ plan: 'free' })
    await setLimits(world.casino, tenant.code, { players_limit: 7 })
    const makes = Array.from({ length: 20 }, (_, i) =>
      i % 2
        ? launch({ body: { username: `p${i}` } })
        : deposit({ body: { username: `p${i}`, txnId: `t${i}`, amount: '1', currency: 'USD' } }),
    )
    const made = await Promise.allSettled(makes)
    expect(made.filter((one) => one.status === 'fulfilled')).toHaveLength(7)
    expect(made.filter((one) => one.status === 'rejected').map((one) => one.reason.code)).toEqual(
      Array.from({ length: 13 }, () => 'PLAYER_LIMIT'),
    )
  })

  test('is not used up by one player who is created many times at once', async () => {
    const { world, tenant, launch, player } = await aLobby({ plan: 'free' })
    await setLimits(world.casino, tenant.code, { players_limit: 1 })
    const names = ['amy', 'AMY', 'Amy', 'aMy', 'amY']
    await Promise.all(names.map((username) => launch({ body: { username } })))
    expect(names).toContain((await player({ query: { username: 'amy' } })).username)
  })
})

describe('an update', () => {
  test('changes the sent fields and no others', async () => {
    const { tenant, updatePlayer } = await aLobby()
    await aPlayer(tenant, { username: 'amy', balance: '5' })
    const before = await updatePlayer({ body: { username: 'amy', nickname: 'A' } })
    expect(before).toMatchObject({ nickname: 'A', status: 'active', balance: '5' })
    expect(await updatePlayer({ body: { username: 'amy', status: 'no_bet' } })).toEqual({ ...before, status: 'no_bet' })
    expect(await updatePlayer({ body: { username: 'amy' } })).toEqual({ ...before, status: 'no_bet' })
  })

  test.each([null, ''])('to the nickname %j clears it', async (nickname) => {
    const { tenant, updatePlayer, player } = await aLobby()
    await aPlayer(tenant, { username: 'amy' })
    await updatePlayer({ body: { username: 'amy', nickname: 'A' } })
    expect(await updatePlayer({ body: { username: 'amy', nickname } })).toMatchObject({ nickname: null })
    expect(await player({ query: { username: 'amy' } })).toMatchObject({ nickname: null })
  })

  test('changes any status to any other', async () => {
    const { tenant, updatePlayer, player } = await aLobby()
    await aPlayer(tenant, { username: 'amy' })
    const statuses = ['active', 'locked', 'no_bet'] as const
    for (const from of statuses)
      for (const to of statuses) {
        await updatePlayer({ body: { username: 'amy', status: from } })
        expect(await updatePlayer({ body: { username: 'amy', status: to } })).toMatchObject({ status: to })
        expect(await player({ query: { username: 'amy' } })).toMatchObject({ status: to })
      }
  })

  test.each([
    ['status', 'Active'],
    ['status', 'blocked'],
    ['status', null],
    ['nickname', 7],
    ['nickname', 'a\u0000b'],
    ['limitProfileId', 0],
    ['limitProfileId', -1],
    ['limitProfileId', 1.5],
    ['limitProfileId', '1'],
    ['limitProfileId', 1e300],
    ['limitProfileId', 999_999],
    ['password', '12345'],
    ['password', 'x'.repeat(65)],
    ['password', null],
    ['password', 123_456],
  ])('of %s to %j is INVALID_PARAMETER and names the field', async (field, value) => {
    const { tenant, updatePlayer, player } = await aLobby()
    await aPlayer(tenant, { username: 'amy' })
    const before = await player({ query: { username: 'amy' } })
    const body = { username: 'amy', nickname: 'changed', [field]: value }
    const refusal = await refuses('INVALID_PARAMETER', updatePlayer({ body: body as never }))
    expect(refusal.message).toContain(field)
    expect(await player({ query: { username: 'amy' } })).toEqual(before)
  })

  test('accepts a password of 6 to 64 characters, and stores only a hash', async () => {
    const { world, tenant, updatePlayer } = await aLobby()
    await aPlayer(tenant, { username: 'amy' })
    for (const password of ['123456', 'x'.repeat(64), '密碼密碼密碼']) {
      expect(await updatePlayer({ body: { username: 'amy', password } })).not.toHaveProperty('password')
      const [row] = await world.store.read(({ q }) => q.selectFrom('casino_players').selectAll().execute())
      expect(row?.password_hash).toMatch(/^scrypt\$[0-9a-f]{32}\$[0-9a-f]{64}$/)
      expect(JSON.stringify(row)).not.toContain(password)
    }
  })

  test('of an unknown player is PLAYER_NOT_FOUND', async () => {
    const { updatePlayer, logout } = await aLobby()
    await refuses('PLAYER_NOT_FOUND', updatePlayer({ body: { username: 'nobody', status: 'active' } }))
    await refuses('PLAYER_NOT_FOUND', updatePlayer({ body: { username: 'nobody', password: 'long enough' } }))
    await refuses('PLAYER_NOT_FOUND', logout({ body: { username: 'nobody' } }))
  })
})

describe('a bet-limit profile', () => {
  const profileOf = async (world: Awaited<ReturnType<typeof testWorld>>, username: string) => {
    const rows = await world.store.read(({ q }) => q.selectFrom('casino_players').selectAll().execute())
    return rows.find((row) => row.username === username)?.limit_profile_id
  }
  const template = async (world: Awaited<ReturnType<typeof testWorld>>, currency: string) => {
    const rows = await world.store.read(({ q }) => q.selectFrom('casino_limit_profiles').selectAll().execute())
    return rows.find((row) => row.tenant === null && row.currency === currency)?.id ?? 0
  }

  test("can be a template in the player's currency; null restores the default; without it, it stays", async () => {
    const { world, launch, updatePlayer } = await aLobby()
    const limitProfileId = await template(world, 'USD')
    await launch({ body: { username: 'amy', limitProfileId } })
    expect(await profileOf(world, 'amy')).toBe(limitProfileId)
    await launch({ body: { username: 'amy' } })
    expect(await profileOf(world, 'amy')).toBe(limitProfileId)
    await updatePlayer({ body: { username: 'amy', nickname: 'A' } })
    expect(await profileOf(world, 'amy')).toBe(limitProfileId)
    await launch({ body: { username: 'amy', limitProfileId: null } })
    expect(await profileOf(world, 'amy')).toBeNull()
    await updatePlayer({ body: { username: 'amy', limitProfileId } })
    expect(await profileOf(world, 'amy')).toBe(limitProfileId)
    await updatePlayer({ body: { username: 'amy', limitProfileId: null } })
    expect(await profileOf(world, 'amy')).toBeNull()
  })

  test('cannot be one in another currency, of another tenant, or unknown', async () => {
    const { world, launch, updatePlayer, player } = await aLobby()
    const other = await aTenant(world)
    const input = { name: 'own', game: 'baccarat', currency: 'USD', min: '1', max: '100' }
    const others = await createLimitProfile(world.casino, other.code, input)
    const ids = [await template(world, 'TWD'), others.id, 999_999]
    for (const limitProfileId of ids)
      await refuses('INVALID_PARAMETER', launch({ body: { username: 'amy', limitProfileId } }))
    await refuses('PLAYER_NOT_FOUND', player({ query: { username: 'amy' } }))
    await launch({ body: { username: 'amy' } })
    for (const limitProfileId of ids)
      await refuses('INVALID_PARAMETER', updatePlayer({ body: { username: 'amy', limitProfileId } }))
    expect(await profileOf(world, 'amy')).toBeNull()
  })

  test("can be the tenant's own, in its own environment", async () => {
    const { world, tenant, launch } = await aLobby()
    const input = { name: 'own', game: 'baccarat', currency: 'usd', min: '1', max: '100' }
    const { id: limitProfileId } = await createLimitProfile(world.casino, tenant.code, input)
    await launch({ body: { username: 'amy', limitProfileId } })
    expect(await profileOf(world, 'amy')).toBe(limitProfileId)
    await refuses('INVALID_PARAMETER', tenant.sandbox.client.launch({ body: { username: 'bob', limitProfileId } }))
  })

  test.each([
    [{ game: 'chess' }, 'INVALID_PARAMETER'],
    [{ currency: 'US' }, 'INVALID_CURRENCY'],
    [{ min: '0' }, 'INVALID_AMOUNT'],
    [{ min: '5', max: '4.9999' }, 'INVALID_AMOUNT'],
    [{ max: 'much' }, 'INVALID_AMOUNT'],
  ])('cannot be created with %j', async (wrong, code) => {
    const { world, tenant } = await aLobby()
    const input = { name: 'own', game: 'baccarat', currency: 'USD', min: '1', max: '100', ...wrong }
    await refuses(code, createLimitProfile(world.casino, tenant.code, input))
  })
})

describe('locking', () => {
  test('ends the open session; later launches are rejected until the player is active again', async () => {
    const { world, launch, updatePlayer, player } = await aLobby()
    const { url } = await launch({ body: { username: 'amy' } })
    const browser = await open(world, url)
    expect(await player({ query: { username: 'amy' } })).toMatchObject({ online: true })
    expect(await updatePlayer({ body: { username: 'amy', status: 'locked' } })).toMatchObject({ online: false })
    expect((await browser.reload()).body).toContain('data-reason="LOCKED"')
    await refuses('PLAYER_LOCKED', launch({ body: { username: 'amy' } }))
    await updatePlayer({ body: { username: 'amy', status: 'active' } })
    expect((await open(world, (await launch({ body: { username: 'amy' } })).url)).status).toBe(200)
  })

  test('does not affect the wallet', async () => {
    const { tenant, updatePlayer, deposit, withdraw } = await aLobby()
    await aPlayer(tenant, { username: 'amy', balance: '5' })
    await updatePlayer({ body: { username: 'amy', status: 'locked' } })
    await deposit({ body: { username: 'amy', txnId: 't1', amount: '1', currency: 'USD' } })
    expect(await withdraw({ body: { username: 'amy', txnId: 't2', amount: '6', currency: 'USD' } })).toMatchObject({
      balance: '0',
    })
  })

  test('no_bet allows a player to watch', async () => {
    const { world, launch, updatePlayer } = await aLobby()
    await launch({ body: { username: 'amy' } })
    await updatePlayer({ body: { username: 'amy', status: 'no_bet' } })
    const browser = await open(world, (await launch({ body: { username: 'amy' } })).url)
    expect(browser.status).toBe(200)
    expect(browser.body).toContain('You can watch but not bet.')
  })
})
