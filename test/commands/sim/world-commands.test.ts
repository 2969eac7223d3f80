import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test as base, describe, expect } from 'vitest'
import { signTenantRequest } from '../../../src/domain/signing.ts'
import { aHome, type Home, run, runJson } from '../../support/program/cli.ts'
import { servedBeside } from '../../support/worlds/served.ts'

interface Beside {
  readonly home: Home
  readonly baseUrl: string
  readonly casino: { readonly live: Key; readonly sandbox: Key }
}
interface Key {
  readonly apiKey: string
  readonly secret: string
}

/** Commands run next to a served world, as a developer runs them. */
const test = base.extend<{ beside: Beside }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the pattern.
  beside: async ({}, use) => {
    const { home, baseUrl, casino } = await servedBeside()
    assert(casino, 'the demo operator has keys')
    await use({ home, baseUrl, casino })
  },
})

async function ask(baseUrl: string, key: Key, url = '/api/tenant/v1/account') {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const nonce = crypto.randomUUID().replaceAll('-', '')
  const signature = signTenantRequest(key.secret, { method: 'GET', url, timestamp, nonce, body: '' })
  const reply = await fetch(baseUrl + url, {
    headers: { 'x-api-key': key.apiKey, 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature },
  })
  const body = (await reply.json()) as { data?: Record<string, unknown>; error?: { code: string } }
  return body.error?.code ?? body.data
}

describe('the console takes effect in a running serve at once', () => {
  test('a new tenant can authenticate with the printed keys, and a second one with its code is refused', async ({
    beside: { home, baseUrl },
  }) => {
    const order = [
      'console',
      'tenants',
      'create',
      'acme',
      '--plan',
      'paid',
      '--timezone',
      'Europe/Berlin',
      '--currency',
      'EUR',
    ]
    const { data } = await runJson(order, { home })
    expect(data).toMatchObject({ companyCode: 'ACME', timezone: 'Europe/Berlin' })
    const made = data as unknown as { live: Key; sandbox: Key }
    expect(await ask(baseUrl, made.live)).toMatchObject({ plan: 'paid', state: 'PAID', balanceUsd: '0' })
    expect(await ask(baseUrl, made.sandbox)).toMatchObject({ plan: 'free', state: 'FREE' })
    expect(await runJson(order, { home })).toMatchObject({ code: 6, error: { code: 'CONFLICT' } })
    const wrongZone = ['console', 'tenants', 'create', 'other', '--timezone', 'Mars/Base']
    expect((await runJson(wrongZone, { home })).code).toBe(2)
  })

  test('suspended, closed and disabled tenants are rejected, and enabling restores them', async ({
    beside: { home, baseUrl, casino },
  }) => {
    for (const word of ['suspend', 'close', 'disable']) {
      expect((await run(['console', 'tenants', word, 'DEMO'], { home })).code).toBe(0)
      expect(await ask(baseUrl, casino.live)).toBe('TENANT_SUSPENDED')
      expect(await ask(baseUrl, casino.sandbox)).toMatchObject({ plan: 'free' })
      expect((await run(['console', 'tenants', 'enable', 'DEMO'], { home })).code).toBe(0)
      expect(await ask(baseUrl, casino.live)).toMatchObject({ state: 'PAID' })
    }
  })

  test('a rotated key works for one more day, and a revoked one not at all', async ({
    beside: { home, baseUrl, casino },
  }) => {
    const { data } = await runJson(['console', 'keys', 'rotate', casino.live.apiKey], { home })
    expect(await ask(baseUrl, data as unknown as Key)).toMatchObject({ plan: 'paid' })
    expect(await ask(baseUrl, casino.live)).toMatchObject({ plan: 'paid' })
    expect((await runJson(['console', 'keys', 'rotate', casino.live.apiKey], { home })).code).toBe(6)
    await run(['console', 'clock', 'advance', '24h'], { home })
    expect(await ask(baseUrl, casino.live)).toBe('UNAUTHORIZED')
    const made = (await runJson(['console', 'keys', 'create', 'DEMO'], { home })).data as unknown as Key
    expect(await ask(baseUrl, made)).toMatchObject({ plan: 'paid' })
    await run(['console', 'keys', 'revoke', made.apiKey], { home })
    expect(await ask(baseUrl, made)).toBe('UNAUTHORIZED')
  })

  test('at most ten keys are valid at once', async ({ beside: { home } }) => {
    for (let i = 0; i < 9; i++) expect((await run(['console', 'keys', 'create', 'DEMO'], { home })).code).toBe(0)
    expect(await runJson(['console', 'keys', 'create', 'DEMO'], { home })).toMatchObject({
      code: 6,
      error: { code: 'QUOTA_EXCEEDED' },
    })
  })

  test('an allowlist rejects other addresses until it is cleared', async ({ beside: { home, baseUrl, casino } }) => {
    await run(['console', 'allowlist', 'set', 'DEMO', '203.0.113.0/24', '2001:db8::/32'], { home })
    expect(await ask(baseUrl, casino.live)).toBe('IP_NOT_ALLOWED')
    await run(['console', 'allowlist', 'set', 'DEMO', '127.0.0.0/8'], { home })
    expect(await ask(baseUrl, casino.live)).toMatchObject({ plan: 'paid' })
    expect((await run(['console', 'allowlist', 'set', 'DEMO', 'not-an-address'], { home })).code).toBe(2)
    expect((await run(['console', 'allowlist', 'set', 'DEMO'], { home })).code).toBe(0)
  })

  test('a merchant’s own table is created, shared, approved, enabled by another tenant and removed', async ({
    beside: { home, baseUrl, casino },
  }) => {
    await runJson(['console', 'tenants', 'create', 'ACME', '--plan', 'paid', '--currency', 'USD'], { home })
    const create = ['console', 'tables', 'create', 'ACME', 'ACME-01', '--game', 'niuniu', '--provider', 'Acme Studio']
    expect(await runJson(create, { home })).toMatchObject({ data: { owner: 'ACME', environment: 'live' } })
    expect((await runJson(create, { home })).code).toBe(6)
    const seen = async () => {
      const { tables } = (await ask(baseUrl, casino.live, '/api/tenant/v1/tables')) as { tables: { tableId: string }[] }
      return tables.find((table) => table.tableId === 'ACME-01')
    }
    expect((await runJson(['console', 'tables', 'share', 'ACME-01', 'DEMO'], { home })).data).toMatchObject({
      sharedWith: ['DEMO'],
      approved: false,
    })
    expect(await seen()).toBeUndefined()
    expect((await runJson(['console', 'tables', 'approve', 'ACME-01'], { home })).code).toBe(0)
    expect(await seen()).toMatchObject({ provider: { name: 'Acme Studio' } })
    expect((await runJson(['tables', 'enable', 'ACME-01'], { home })).code).toBe(0)
    // It is in one environment only, which is no error with "both".
    expect((await runJson(['console', 'tables', 'maintenance', 'ACME-01'], { home })).data).toMatchObject({
      environments: ['live'],
    })
    expect((await runJson(['console', 'tables', 'maintenance', 'NO-01'], { home })).code).toBe(5)
    expect((await runJson(['console', 'tables', 'open', 'ACME-01', '--environment', 'sandbox'], { home })).code).toBe(5)
    expect((await runJson(['console', 'sharing', 'off'], { home })).data).toEqual({ sharing: false })
    expect(await seen()).toBeUndefined()
    expect((await runJson(['console', 'sharing', 'on'], { home })).data).toEqual({ sharing: true })
    expect(await seen()).toMatchObject({ enabled: false })
    const withdraw = ['console', 'tables', 'approve', 'ACME-01', '--withdraw']
    expect((await runJson(withdraw, { home })).data).toMatchObject({ approved: false })
    expect(await seen()).toBeUndefined()
  })

  test('an operator’s settings and side bets change together with those of the sandbox', async ({
    beside: { home },
  }) => {
    const set = ['console', 'tenants', 'set', 'DEMO', '--currencies', 'TWD, KRW', '--languages', 'cht,eng']
    expect((await runJson(set, { home })).data).toEqual({
      companyCode: 'DEMO',
      timezone: 'Asia/Taipei',
      currencies: ['USD', 'TWD', 'KRW'],
      languages: ['CHT', 'ENG'],
      siteUrl: null,
      realityCheckMinutes: null,
    })
    const { tenants } = (await runJson(['console', 'tenants', 'list'], { home })).data as unknown as {
      tenants: { currencies: string[] }[]
    }
    expect(tenants.map(({ currencies }) => currencies)).toEqual([
      ['USD', 'TWD', 'KRW'],
      ['USD', 'TWD', 'KRW'],
    ])
    const site = ['console', 'tenants', 'set', 'DEMO', '--site-url']
    expect((await runJson([...site, 'https://casino.example'], { home })).data).toMatchObject({
      currencies: ['USD', 'TWD', 'KRW'],
      siteUrl: 'https://casino.example/',
    })
    expect((await runJson([...site, 'javascript:alert(1)'], { home })).code).toBe(2)
    expect((await runJson([...site, '', '--reality-check', '30'], { home })).data).toMatchObject({
      siteUrl: null,
      realityCheckMinutes: 30,
    })
    expect((await runJson([...site, '', '--reality-check', '121'], { home })).code).toBe(2)
    expect((await runJson([...site, '', '--reality-check', '0'], { home })).data).toMatchObject({
      realityCheckMinutes: null,
    })
    expect((await runJson(['console', 'tenants', 'set', 'DEMO'], { home })).code).toBe(2)
    expect((await runJson(['console', 'tenants', 'set', 'DEMO', '--timezone', 'Mars/Base'], { home })).code).toBe(2)
    const sideBets = ['console', 'tables', 'side-bets', 'DEMO', 'DT-02', 'on']
    expect((await runJson(sideBets, { home })).data).toEqual({ companyCode: 'DEMO', tableId: 'DT-02', sideBets: true })
    const exact = { tableId: 'DT-02', cardInfo: '7HAC', slips: [{ username: 'amy', bets: { TS: '15' } }] }
    expect((await runJson(['sim', 'deal', home.write('round.json', JSON.stringify(exact))], { home })).code).toBe(0)
    expect((await runJson(['console', 'tables', 'side-bets', 'DEMO', 'BAC-01', 'on'], { home })).code).toBe(6)
  })

  test('paused tables of a demo tenant return with any command about it', async ({ beside: { home, baseUrl } }) => {
    const create = ['console', 'tenants', 'create', 'TINY', '--plan', 'free', '--currency', 'USD']
    const { live } = (await runJson(create, { home })).data as unknown as { live: Key }
    const statuses = async () => {
      const { tables } = (await ask(baseUrl, live, '/api/tenant/v1/tables')) as { tables: { status: string }[] }
      return [...new Set(tables.map(({ status }) => status))]
    }
    await run(['console', 'clock', 'advance', '14d'], { home })
    expect(await statuses()).toEqual(['maintenance'])
    await run(['console', 'limits', 'set', 'TINY', '--plan', '--dry-run'], { home })
    expect(await statuses()).toEqual(['maintenance'])
    expect((await runJson(['console', 'limits', 'set', 'TINY', '--plan'], { home })).data).toMatchObject({
      idleDays: 14,
    })
    expect(await statuses()).toEqual(['open'])
  })

  test('an overridden request rate applies from then on', async ({ beside: { home, baseUrl, casino } }) => {
    const idle = await run(['console', 'limits', 'set', 'DEMO'], { home })
    expect(idle).toMatchObject({ code: 2, stdout: '' })
    expect(idle.stderr).toContain('Nothing to set: pass --rate')
    const set = await run(['console', 'limits', 'set', 'DEMO', '--rate', '1', '--burst', '2'], { home })
    expect(set.stderr).toBe(`Profile local: world.db, served at ${baseUrl}\n`)
    expect(set.stdout).toMatch(/^tables +no limit$/m)
    const begun = performance.now()
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(baseUrl, casino.live)))
    const passed = answers.filter((answer) => answer !== 'RATE_LIMITED').length
    expect(passed).toBeGreaterThanOrEqual(2)
    expect(passed).toBeLessThanOrEqual(Math.ceil(2 + (performance.now() - begun) / 1000))
    await run(['console', 'limits', 'set', 'DEMO', '--plan'], { home })
    expect(await ask(baseUrl, casino.live)).toMatchObject({ plan: 'paid' })
  })

  test('a top-up and an adjustment count once, with any number of requests', async ({ beside: { home } }) => {
    const topup = ['console', 'topup', 'DEMO', '12.5', '--ref', 'wire-1']
    expect((await runJson(topup, { home })).data).toMatchObject({ balanceUsd: '10012.5', duplicate: false })
    expect((await runJson(topup, { home })).data).toMatchObject({ balanceUsd: '10012.5', duplicate: true })
    expect((await runJson(['console', 'topup', 'DEMO', '13', '--ref', 'wire-1'], { home })).code).toBe(6)
    const adjust = ['console', 'adjust', 'DEMO', 'amy', '--txn', 'fix-1', '--json', '--', '-12.5']
    expect(JSON.parse((await run(adjust, { home })).stdout).data).toMatchObject({ balance: '9987.5', duplicate: false })
    expect(JSON.parse((await run(adjust, { home })).stdout).data).toMatchObject({ balance: '9987.5', duplicate: true })
    expect((await run(['console', 'adjust', 'DEMO', 'amy', '--txn', 'fix-2', '--', '-99999'], { home })).code).toBe(6)
  })

  test('a moved clock applies to every process, and the days passed are charged', async ({
    beside: { home, baseUrl, casino },
  }) => {
    const { data } = await runJson(['console', 'clock', 'advance', '40d'], { home })
    expect(data).toMatchObject({ steps: expect.any(Number), done: expect.any(Number) })
    const account = (await ask(baseUrl, casino.live)) as { balanceUsd: string }
    expect(Number(account.balanceUsd)).toBeLessThan(10_000)
    const { statements } = (await ask(baseUrl, casino.live, '/api/tenant/v1/account/statements')) as {
      statements: unknown[]
    }
    // Forty days end one month, or two if the first of them was near its end.
    const monthOf = (moment: unknown) => {
      const at = new Date(String(moment))
      return at.getUTCFullYear() * 12 + at.getUTCMonth()
    }
    expect(statements).toHaveLength(monthOf(data['now']) - monthOf(data['from']))
    expect((await runJson(['console', 'clock', 'advance', 'yesterday'], { home })).code).toBe(2)
    expect((await runJson(['console', 'clock', 'advance', '2020-01-01'], { home })).code).toBe(2)
  })
})

describe('a dry run', () => {
  test('validates everything, shows the result, and changes nothing', async ({ beside: { home } }) => {
    const { data } = await runJson(['console', 'tenants', 'create', 'GHOST', '--dry-run'], { home })
    // A key that was not created is not shown: it would be mistaken for a real one.
    const preview = { apiKey: '***', secret: '***' }
    expect(data).toMatchObject({ companyCode: 'GHOST', live: preview, sandbox: preview })
    const { data: listed } = await runJson(['console', 'tenants', 'list'], { home })
    expect(JSON.stringify(listed)).not.toContain('GHOST')
    expect((await runJson(['console', 'tenants', 'create', 'DEMO', '--dry-run'], { home })).code).toBe(6)
    await runJson(['sim', 'play', '--rounds', '5', '--dry-run'], { home })
    await runJson(['console', 'clock', 'advance', '5d', '--dry-run'], { home })
    const { data: clock } = await runJson(['console', 'clock', 'show'], { home })
    expect((clock as unknown as { aheadMs: number }).aheadMs).toBe(0)
  })
})

describe('sim', () => {
  const slips = [{ username: 'amy', bets: { B: '100', S6: '10', BP: '5' } }]
  const round = { tableId: 'BAC-01', variant: 'nocomm', cardInfo: 'QD3D4C3SAH--', slips }

  test('an exact round returns its records as the API does, and changes the balance by their deltas', async ({
    beside: { home, baseUrl, casino },
  }) => {
    const file = home.write(
      'round.json',
      JSON.stringify({ ...round, then: [{ correct: { cardInfo: '5H4S3C5D----' } }, { void: true }] }),
    )
    const { data } = await runJson(['sim', 'deal', file], { home })
    const played = data as unknown as { roundId: string; revisions: { round: object; bets: { delta: string }[] }[] }
    expect(played.revisions.map(({ bets }) => bets[0]?.delta)).toEqual(['340', '-140', '-85'])
    const read = (await ask(baseUrl, casino.live, '/api/tenant/v1/bets')) as { items: unknown[] }
    expect(read.items).toEqual(played.revisions.flatMap(({ bets }) => bets))
    expect(await ask(baseUrl, casino.live, `/api/tenant/v1/rounds/${played.roundId}`)).toEqual(
      played.revisions.at(-1)?.round,
    )
    expect(await ask(baseUrl, casino.live, '/api/tenant/v1/wallet/balance?username=amy')).toMatchObject({
      balance: '10000',
    })
  })

  test('an impossible round is rejected completely, and changes nothing', async ({
    beside: { home, baseUrl, casino },
  }) => {
    const wrong: [string, object, number][] = [
      ['cards that do not exist', { ...round, cardInfo: 'ZZ3D4C3SAH--' }, 2],
      ['a third card that is not drawn', { ...round, cardInfo: '5H4S3C5DAH--' }, 2],
      ['a table that is not there', { ...round, tableId: 'X-1' }, 5],
      ['a player that is not there', { ...round, slips: [{ username: 'nobody', bets: { B: '1' } }] }, 5],
      ['a zone the variant has not', { ...round, variant: 'classic' }, 6],
      ['more than the balance', { ...round, slips: [{ username: 'amy', bets: { B: '10000.0001' } }] }, 6],
      ['an amount as a number', { ...round, slips: [{ username: 'amy', bets: { B: 5 } }] }, 2],
      ['a field nobody knows', { ...round, cardinfo: '' }, 2],
      ['a correction that cannot be', { ...round, then: [{ correct: { cardInfo: 'QQQQ' } }] }, 2],
    ]
    for (const [what, document, code] of wrong) {
      const file = home.write('wrong.json', JSON.stringify(document))
      expect((await runJson(['sim', 'deal', file], { home })).code, what).toBe(code)
    }
    expect((await run(['sim', 'deal', '-'], { home, input: 'no json' })).code).toBe(2)
    expect(await ask(baseUrl, casino.live, '/api/tenant/v1/wallet/balance?username=amy')).toMatchObject({
      balance: '10000',
    })
    expect(await ask(baseUrl, casino.live, '/api/tenant/v1/bets')).toMatchObject({ items: [] })
  })

  test('a round of another command is corrected and voided, readable by the cursor at once; a dry run changes nothing', async ({
    beside: { home, baseUrl, casino },
  }) => {
    const exact = { tableId: 'BAC-01', cardInfo: '5H4S3C5D----', slips: [{ username: 'amy', bets: { B: '100' } }] }
    const dealt = await runJson(['sim', 'deal', home.write('round.json', JSON.stringify(exact))], { home })
    const { roundId } = dealt.data as unknown as { roundId: string }
    const rest = (await ask(baseUrl, casino.live, '/api/tenant/v1/bets')) as { nextCursor: string }
    const since = async () =>
      (await ask(baseUrl, casino.live, `/api/tenant/v1/bets?cursor=${rest.nextCursor}`)) as { items: unknown[] }
    const correct = ['sim', 'correct', roundId, '--card-info', 'KS4H7D2C----']

    const tried = await runJson([...correct, '--dry-run'], { home })
    expect(tried).toMatchObject({ code: 0, data: { round: { rev: 2 }, bets: [{ status: 'recalculated' }] } })
    expect((await since()).items).toEqual([])

    const corrected = await runJson(correct, { home })
    expect(corrected.data).toMatchObject({
      round: { status: 'settled', rev: 2, code: '2' },
      bets: [{ winLoss: '-100' }],
    })
    const voided = await runJson(['sim', 'void', roundId], { home })
    expect(voided.data).toMatchObject({ round: { status: 'void', rev: 3 }, bets: [{ status: 'void', winLoss: '0' }] })
    const bets = [corrected, voided].flatMap(({ data }) => (data as unknown as { bets: unknown[] }).bets)
    expect((await since()).items).toEqual(bets)

    const late = await runJson(['sim', 'void', roundId], { home })
    expect(late).toMatchObject({ code: 6, data: { bets: [], disputed: 'nothing follows a void' } })
    expect(late.error.message).toBe(`Round ${roundId} was not changed: nothing follows a void`)
    for (const [what, args] of Object.entries({
      'no result named': ['sim', 'correct', roundId],
      'two results named': [...correct, '--code', '1'],
      'points that are none': ['sim', 'correct', roundId, '--code', '1', '--points', 'player'],
      'a winner that is none': ['sim', 'correct', roundId, '--code', '1----', '--winner', 'P1=X'],
    }))
      expect((await runJson(args, { home })).code, what).toBe(2)
    expect((await runJson(['sim', 'void', '01J9ZK8S5T3V6W7X8Y9ZABCDEF'], { home })).code).toBe(5)
  })

  test('with every player betting, N rounds have N × players slips, spread over past days in ascending order', async ({
    beside: { home, baseUrl, casino },
  }) => {
    const { data } = await runJson(
      ['sim', 'play', '--tables', 'BAC-01,DT-01', '--rounds', '40', '--players', '6', '--days', '20'],
      { home },
    )
    expect(data).toMatchObject({ tenant: 'DEMO', rounds: 40, slips: 240 })
    const from = encodeURIComponent(new Date(Date.now() - 30 * 86_400_000).toISOString())
    let moments: string[] = []
    for (let query = `from=${from}`, more = true; more; ) {
      const page = (await ask(baseUrl, casino.live, `/api/tenant/v1/bets?limit=1000&${query}`)) as {
        items: { settledAt: string }[]
        nextCursor: string
        hasMore: boolean
      }
      moments = moments.concat(page.items.map((item) => item.settledAt))
      query = `cursor=${page.nextCursor}`
      more = page.hasMore
    }
    expect(moments).toHaveLength(240)
    expect(moments).toEqual([...moments].sort())
    expect(new Set(moments.map((moment) => moment.slice(0, 10))).size).toBeGreaterThan(15)
  })

  test('a remote profile has no local world', async ({ beside: { home, baseUrl, casino } }) => {
    const ready = home.write(
      'ready.json',
      JSON.stringify({ baseUrl, casino: { ...casino, companyCode: 'DEMO', timezone: 'UTC' } }),
    )
    await run(['profiles', 'add', 'far', '--from', ready], { home })
    expect((await runJson(['sim', 'play', '--profile', 'far'], { home })).code).toBe(2)
    expect((await runJson(['console', 'tenants', 'list', '--profile', 'far'], { home })).code).toBe(2)
  })

  test('a mistyped path creates no world', async () => {
    const home = aHome()
    const env = { COUNTROOM_DB: join(home.folder, 'typo.db') }
    expect((await runJson(['console', 'tenants', 'list'], { home, env })).code).toBe(78)
  })
})
