import { describe, expect, test } from 'vitest'
import { setLimits, setTenantState } from '../../../src/services/casino/admin/index.ts'
import { open } from '../../support/browser/browser.ts'
import { aTenant, refuses } from '../../support/worlds/people.ts'
import { inFile, inMemory, onPostgres, testWorld } from '../../support/worlds/world.ts'

async function aLobby(options: Parameters<typeof aTenant>[1] = {}, world = testWorld()) {
  const opened = await world
  const tenant = await aTenant(opened, { tables: ['BAC-01', 'DT-01'], ...options })
  const isOnline = async (username = 'amy') => (await tenant.client.player({ query: { username } })).online
  const link = async (input: object = {}) => (await tenant.client.launch({ body: { username: 'amy', ...input } })).url
  return { world: opened, tenant, ...tenant.client, isOnline, link }
}

describe('a launch', () => {
  test('gives a one-time URL of the form https://<host>/Launch?t=<token>, for 60 seconds', async () => {
    const { launch } = await aLobby()
    expect(await launch({ body: { username: 'amy' } })).toEqual({
      url: expect.stringMatching(/^https?:\/\/[^/]+\/Launch\?t=[A-Za-z0-9]{40}$/),
      expiresIn: 60,
    })
  })

  test('creates a new token every time, and stores only hashes', async () => {
    const { world, link } = await aLobby()
    const tokens = [await link(), await link()].map((url) => new URL(url).searchParams.get('t') ?? '')
    expect(new Set(tokens).size).toBe(2)
    const rows = await world.store.read(({ q }) => q.selectFrom('casino_launches').selectAll().execute())
    for (const token of tokens) expect(JSON.stringify(rows)).not.toContain(token)
  })

  test.each([
    ['lang', 'XXX'],
    ['lang', ''],
    ['lang', 7],
    ['table', 'NO-SUCH'],
    ['table', 'HE-01'],
    ['table', ''],
    ['table', 'BAC-01\u0000'],
    ['table', 7],
    ['device', 7],
    ['device', null],
    ['variant', 'casino'],
    ['variant', ''],
    ['lobbyUrl', 'ftp://example.com'],
    ['lobbyUrl', 'example.com'],
    ['lobbyUrl', ' https://example.com'],
    ['lobbyUrl', 'javascript:alert(1)'],
    ['nickname', null],
    ['nickname', 'a\u0000b'],
    ['currency', 7],
    ['limitProfileId', 'one'],
  ])('with %s %j is INVALID_PARAMETER, names the field, and creates no player', async (field, value) => {
    const { launch, player } = await aLobby()
    const refusal = await refuses('INVALID_PARAMETER', launch({ body: { username: 'amy', [field]: value } as never }))
    expect(refusal.message).toContain(field)
    await refuses('PLAYER_NOT_FOUND', player({ query: { username: 'amy' } }))
  })

  test('accepts the fields it stores, and unknown ones', async () => {
    const { world, launch } = await aLobby()
    const input = { lang: 'thai', device: 'tv', variant: 'nocomm', lobbyUrl: 'http://example.com/back?x=1', unknown: 1 }
    await launch({ body: { username: 'amy', ...input } as never })
    const [row] = await world.store.read(({ q }) => q.selectFrom('casino_launches').selectAll().execute())
    expect(row).toMatchObject({ language: 'THAI', device: 'pc', variant: 'nocomm', lobby_url: input.lobbyUrl })
  })

  test('that is rejected keeps the open session', async () => {
    const { world, launch, link, isOnline } = await aLobby()
    const browser = await open(world, await link())
    await refuses('INVALID_PARAMETER', launch({ body: { username: 'amy', lang: 'XXX' } }))
    expect((await browser.reload()).status).toBe(200)
    expect(await isOnline()).toBe(true)
  })
})

describe('the link', () => {
  test('opens the lobby once and is expired the second time', async () => {
    const { world, link } = await aLobby()
    const url = await link({ lang: 'ENG' })
    const browser = await open(world, url)
    expect(browser).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
    for (let i = 0; i < 2; i++) {
      const again = await open(world, url)
      expect(again.status).toBe(410)
      expect(again.body).toContain('This link has expired')
    }
    expect((await browser.reload()).status).toBe(200)
  })

  test('that is expired shows it in the player’s language, and in English if it has no player', async () => {
    const { world, updatePlayer, link } = await aLobby()
    const used = await link({ lang: 'JPN' })
    const browser = await open(world, used)
    const again = await open(world, used)
    expect(again.body).toContain('<html lang="ja">')
    expect(again.body).toContain('リンクの期限が切れました')
    const refused = await link({ lang: 'VIET' })
    await updatePlayer({ body: { username: 'amy', status: 'locked' } })
    expect((await open(world, refused)).body).toContain('Hiện không thể vào')
    const out = await browser.reload()
    expect(out.body).toContain('<html lang="ja">')
    expect(out.body).toContain('data-reason="SESSION_REPLACED"')
    expect((await open(world, 'https://x/Launch?t=nonsense')).body).toContain('<html lang="en">')
  })

  test('works at 59.999 seconds and not at 60', async () => {
    const { world, link } = await aLobby()
    const [one, other] = [await link(), await link()]
    world.clock.add('59s')
    world.clock.add('999ms')
    expect((await open(world, one)).status).toBe(200)
    world.clock.add('1ms')
    expect((await open(world, other)).status).toBe(410)
  })

  test.each(['', '?t=', '?t=nonsense', '?t=a&t=b', `?t=${'a'.repeat(5000)}`, '?t=%00', "?t=' or 1=1 --"])(
    'with %s instead of its token is expired',
    async (query) => {
      const { world } = await aLobby()
      expect((await open(world, `https://x/Launch${query}`)).status).toBe(410)
    },
  )

  test('that is older than another one still works: the one opened last replaces the session', async () => {
    const { world, link } = await aLobby()
    const [first, second] = [await link(), await link()]
    const late = await open(world, second)
    const last = await open(world, first)
    expect(last.status).toBe(200)
    const kicked = await late.reload()
    expect(kicked.status).toBe(401)
    expect(kicked.body).toContain('data-reason="SESSION_REPLACED"')
    expect((await last.reload()).status).toBe(200)
  })

  test('shows player, balance and tables, in the requested language and layout', async () => {
    const { world, deposit, link } = await aLobby({ languages: ['kor', 'ENG'] })
    await deposit({ body: { username: 'amy', txnId: 't', amount: '12.5', currency: 'TWD' } })
    const page = await open(world, await link())
    expect(page.body).toContain('<html lang="ko">')
    expect(page.body).toContain('12.5 TWD')
    for (const table of ['BAC-01', 'DT-01']) expect(page.body).toContain(`data-table="${table}"`)
    expect(page.body).not.toContain('data-table="DT-02"')
    const mobile = await open(world, await link({ lang: 'Chs', device: 'mobile', table: 'DT-01' }))
    expect(mobile.body).toContain('<html lang="zh-Hans">')
    expect(mobile.body).toContain('class="mobile"')
    expect(mobile.body).not.toContain('data-table="BAC-01"')
  })

  test('shows CHT if neither the launch nor the Console sets a language', async () => {
    const { world, link } = await aLobby()
    expect((await open(world, await link())).body).toContain('<html lang="zh-Hant">')
  })

  test('shows any name as text', async () => {
    const { world, link } = await aLobby()
    const page = await open(world, await link({ nickname: '<img src=x onerror=alert(1)>"&' }))
    expect(page.body).not.toContain('<img')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  })

  test('is not used up by a HEAD request', async () => {
    const { world, link } = await aLobby()
    const url = await link()
    const { pathname, search } = new URL(url)
    await world.server.inject({ method: 'HEAD', path: `${pathname}${search}`, headers: {} })
    expect((await open(world, url)).status).toBe(200)
  })

  test('of a player who was locked in the meantime is rejected, and works once they are active again', async () => {
    const { world, link, updatePlayer } = await aLobby()
    const url = await link()
    await updatePlayer({ body: { username: 'amy', status: 'locked' } })
    expect((await open(world, url)).status).toBe(403)
    await updatePlayer({ body: { username: 'amy', status: 'active' } })
    expect((await open(world, url)).status).toBe(200)
  })

  test('of a tenant that was suspended in the meantime is rejected', async () => {
    const { world, tenant, link } = await aLobby()
    const url = await link()
    await setTenantState(world.casino, tenant.code, 'SUSPENDED')
    expect((await open(world, url)).status).toBe(403)
  })

  test('works across a restart', async () => {
    const { world, link } = await aLobby({}, testWorld({ on: inFile }))
    const url = await link()
    const again = await world.reopened()
    const browser = await open(again, url)
    expect(browser.status).toBe(200)
    expect((await open(again, url)).status).toBe(410)
  })
})

describe('a session', () => {
  test('makes a player online, and records the time of the login', async () => {
    const { world, link, player, isOnline } = await aLobby()
    const url = await link()
    expect(await isOnline()).toBe(false)
    world.clock.add('5s')
    const entered = new Date(world.casino.machineNow()).toISOString()
    await open(world, url)
    expect(await player({ query: { username: 'amy' } })).toMatchObject({ online: true, lastLoginAt: entered })
  })

  test('ends at once when the player is launched again, even if the new link is not opened', async () => {
    const { world, link, isOnline } = await aLobby()
    const browser = await open(world, await link())
    await link()
    expect(await isOnline()).toBe(false)
    expect((await browser.reload()).body).toContain('data-reason="SESSION_REPLACED"')
  })

  test('ends at a logout; logging out a player without a session is no error', async () => {
    const { world, link, logout, isOnline } = await aLobby()
    const browser = await open(world, await link())
    expect(await logout({ body: { username: 'amy' } })).toEqual({ kicked: true })
    expect(await isOnline()).toBe(false)
    expect((await browser.reload()).body).toContain('data-reason="LOGGED_OUT"')
    expect(await logout({ body: { username: 'amy' } })).toEqual({ kicked: true })
  })

  test('ends after 60 minutes of inactivity, by the clock and by the periodic job', async () => {
    const { world, link, isOnline } = await aLobby()
    const browser = await open(world, await link())
    world.clock.add('59m')
    expect(await isOnline()).toBe(true)
    world.clock.add('1m')
    expect(await isOnline()).toBe(false)
    expect((await browser.reload()).body).toContain('data-reason="IDLE"')
    await world.settle()
    expect((await browser.reload()).body).toContain('data-reason="IDLE"')
  })

  test('lasts while the player is active, and 12 hours at most', async () => {
    const { world, link, isOnline } = await aLobby()
    const browser = await open(world, await link())
    for (let i = 0; i < 23; i++) {
      world.clock.add('30m')
      expect((await browser.reload()).status).toBe(200)
    }
    world.clock.add('29m')
    expect((await browser.reload()).status).toBe(200)
    world.clock.add('1m')
    expect(await isOnline()).toBe(false)
    expect((await browser.reload()).body).toContain('data-reason="EXPIRED"')
  })

  test('lasts across a restart', async () => {
    const { world, tenant, link } = await aLobby({}, testWorld({ on: inFile }))
    await open(world, await link())
    const again = await world.reopened()
    const { clientOf } = await import('../../support/worlds/people.ts')
    const client = clientOf(again, tenant.key)
    expect(await client.player({ query: { username: 'amy' } })).toMatchObject({ online: true })
    again.clock.add('60m')
    await again.settle()
    expect(await client.player({ query: { username: 'amy' } })).toMatchObject({ online: false })
  })

  test('belongs to its browser: there is none without the cookie', async () => {
    const { world, link } = await aLobby()
    const browser = await open(world, await link())
    expect(browser.headers['set-cookie']).toMatch(/HttpOnly/)
    expect(browser.headers['set-cookie']).toMatch(/Path=\/play/)
    expect((await open(world, 'https://x/play/')).status).toBe(401)
    const forged = { cookie: 'countroom_session=guess' }
    expect((await world.server.inject({ method: 'GET', path: '/play/', headers: forged })).status).toBe(401)
  })

  test('no longer shows a disabled table', async () => {
    const { world, link, disableTable } = await aLobby()
    const browser = await open(world, await link())
    await disableTable({ body: { tableId: 'DT-01' } })
    expect((await browser.reload()).body).not.toContain('data-table="DT-01"')
  })

  test('of a suspended tenant is over', async () => {
    const { world, tenant, link } = await aLobby()
    const browser = await open(world, await link())
    await setTenantState(world.casino, tenant.code, 'SUSPENDED')
    expect((await browser.reload()).status).toBe(401)
  })
})

describe('players online at once', () => {
  test.each([
    ['free', 'live', 10],
    ['paid', 'sandbox', 50],
  ] as const)('of a %s tenant, %s, are %i', async (plan, environment, limit) => {
    const { world, tenant } = await aLobby({ plan })
    const { client } = environment === 'live' ? tenant : tenant.sandbox
    const enter = async (username: string) => open(world, (await client.launch({ body: { username } })).url)
    for (let i = 0; i < limit; i++) expect((await enter(`p${i}`)).status).toBe(200)
    expect((await enter('late')).status).toBe(403)
    expect((await enter('p0')).status).toBe(200)
    await client.logout({ body: { username: 'p1' } })
    expect((await enter('late')).status).toBe(200)
  })

  test('can be limited per tenant, and decrease when one times out', async () => {
    const { world, tenant, link, launch } = await aLobby({ plan: 'free' })
    await setLimits(world.casino, tenant.code, { online_limit: 1 })
    await open(world, await link())
    const full = await open(world, (await launch({ body: { username: 'bob' } })).url)
    expect(full.status).toBe(403)
    world.clock.add('60m')
    expect((await open(world, (await launch({ body: { username: 'bob' } })).url)).status).toBe(200)
  })
})

describe.each([inMemory, inFile, onPostgres])('on $name', (on) => {
  test('a link opened many times at once opens once', async () => {
    const { world, link } = await aLobby({}, testWorld({ on }))
    const url = await link()
    const opened = await Promise.all(Array.from({ length: 10 }, () => open(world, url)))
    expect(opened.map((page) => page.status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 410)])
  })

  test('many launches of one new player at once create one player and leave one session', async () => {
    const { world, link, launch } = await aLobby({}, testWorld({ on }))
    const links = await Promise.all(Array.from({ length: 10 }, () => launch({ body: { username: 'amy' } })))
    const players = await world.store.read(({ q }) => q.selectFrom('casino_players').selectAll().execute())
    expect(players).toHaveLength(1)
    const opened = await Promise.all(links.map(({ url }) => open(world, url)))
    expect(opened.every((page) => page.status === 200)).toBe(true)
    const sessions = () =>
      world.store.read(({ q }) => q.selectFrom('casino_sessions').selectAll().where('ended_at', 'is', null).execute())
    expect(await sessions()).toHaveLength(1)
    await link()
    expect(await sessions()).toHaveLength(0)
  })
})
