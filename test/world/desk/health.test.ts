import { request } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { world as worldMigrations } from '../../../src/db/migrations/world/index.ts'
import { Histogram } from '../../../src/kit/histogram.ts'
import { silentLog } from '../../../src/kit/log.ts'
import { worldItself } from '../../../src/world/clock.ts'
import { ensureDemoWorld } from '../../../src/world/demo-data.ts'
import { deskRoutes } from '../../../src/world/desk/routes.ts'
import { checkInvariants } from '../../../src/world/invariants.ts'
import { prometheusText } from '../../../src/world/metrics/prometheus-text.ts'
import { startScheduler } from '../../../src/world/scheduler.ts'
import { openWorld, type WorldOptions } from '../../../src/world/world.ts'
import { named } from '../../support/databases/engines.ts'
import { holdTimersOf } from '../../support/held-timers.ts'

const engines = [named('SQLite in a file'), named('PostgreSQL')]

describe.each(engines)('a world on $name', (engine) => {
  async function aServedWorld(
    records: WorldOptions['records'] = { requests: true, hasDesk: true, hasPublicMetrics: false },
  ) {
    // Without the limit of `/readyz`: how fast a database answers depends on the machine.
    holdTimersOf(2_000)
    const database = await engine.database()
    await database.fill(worldMigrations)
    const world = await openWorld({ db: database.url ?? '', seed: 'health', records })
    // A test may have closed the database; the server is always closed before it.
    onTestFinished(() => world.close().catch((error) => expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' })))
    await ensureDemoWorld(world)
    const { url } = await world.server.listen({ port: 0 })
    return { world, url, db: database.url ?? '' }
  }

  test('returns its health, and its metrics on this machine only', async () => {
    const { world, url } = await aServedWorld()
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' })
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    await fetch(`${url}/api/tenant/v1/tables`)
    await fetch(`${url}/no/such/path`)
    const scheduler = startScheduler(world.jobs, silentLog, 5, world.metrics?.jobs)
    onTestFinished(() => scheduler.stop())
    const metrics = async () => (await fetch(`${url}/metrics`)).text()
    await expect.poll(metrics).toMatch(/countroom_job_runs_total\{job="send deliveries"\} [1-9]/)
    const text = await metrics()
    expect(text).toMatch(
      /countroom_request_duration_seconds_count\{kind="request",service="casino",endpoint="tables",status="401"\} 1\n/,
    )
    expect(text).toMatch(/endpoint="other",status="404"\} 1\n/)
    expect(text).toMatch(/countroom_database_wait_seconds_count\{transaction="write"\} [1-9]/)
    expectPrometheus(text)
    expect((await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.5' } })).status).toBe(404)
  })

  test('opens its desk with the token only, to pages of its own and under a name of this machine', async () => {
    const records = { requests: true, hasDesk: true, hasPublicMetrics: false, desk: deskRoutes }
    const { world, url } = await aServedWorld(records)
    const { host } = new URL(url)
    const authorization = `Bearer ${world.deskToken()}`
    const advance = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const post = request(`${url}/desk/api/actions/clock.advance`, { method: 'POST', headers }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        post.on('error', reject).end('{"by":"1h"}')
      })
    const before = await world.clock.now()
    expect(await advance({})).toBe(401)
    expect(await advance({ authorization: 'Bearer wrong' })).toBe(401)
    for (const origin of ['http://shop.example', 'null', `https://${host}`, 'http://127.0.0.1:1'])
      expect(await advance({ authorization, origin }), origin).toBe(403)
    // A name of another site that resolves to this machine.
    expect(await advance({ authorization, host: `shop.example:${new URL(url).port}` })).toBe(404)
    expect((await world.clock.now()) - before).toBeLessThan(3_600_000)
    expect(await advance({ authorization, origin: `http://${host}` })).toBe(200)
    expect((await world.clock.now()) - before).toBeGreaterThanOrEqual(3_600_000)
    for (const path of ['/desk', '/desk/api/views/status'])
      expect((await fetch(url + path)).headers.get('content-security-policy'), path).toContain("default-src 'none'")
  })

  test('is not ready after its database is closed, while the process still responds', async () => {
    const { world, url } = await aServedWorld()
    await world.store.close()
    const response = await fetch(`${url}/readyz`)
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({ status: 'not ready', reason: 'the database cannot be reached' })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })

  // Not on SQLite: within one process the load would wait for the world that it blocks. test/world/snapshots has two processes on one file.
  test.runIf(engine.name === 'PostgreSQL')(
    'is ready at the first request after another process has loaded a snapshot',
    async () => {
      const { world, url, db } = await aServedWorld()
      await world.snapshots.save('start')
      const other = await openWorld({ db })
      onTestFinished(() => other.close())
      await other.snapshots.load({ name: 'start' })
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
    },
  )

  test("gives its desk's token to other processes on the database until it is closed", async () => {
    const { world } = await aServedWorld()
    const stored = () => world.store.read(worldItself)
    expect((await stored()).desk_token).toBe(world.deskToken())
    expect(world.deskToken()).toMatch(/^\w{40}$/)
  })

  test('keeps its invariants, and names a balance, a posting and a delivery that violate them', async () => {
    const { world } = await aServedWorld()
    expect((await checkInvariants(world)).map(({ name, status }) => [name, status])).toEqual([
      ['balances', 'pass'],
      ['postings', 'pass'],
      ['transfers', 'pass'],
      ['deliveries', 'pass'],
    ])
    await world.store.write(async ({ q, now }) => {
      await q
        .updateTable('casino_players')
        .set({ balance: '1' })
        .where('username', '=', 'amy')
        .where('tenant', '=', 'DEMO')
        .execute()
      const entry = await q.selectFrom('gateway_entries').selectAll().limit(1).executeTakeFirstOrThrow()
      await q
        .updateTable('gateway_entries')
        .set({ units: '1' })
        .where('posting', '=', entry.posting)
        .where('position', '=', entry.position)
        .execute()
      const delivery = {
        id: 'd-1',
        channel: 'merchant-ipn',
        owner: 'm',
        event: 'finished',
        subject: 's',
        url: 'http://127.0.0.1:9/',
        body: '{}',
      } as const
      const state = {
        status: 'failed',
        scheduled_at: now,
        lease: null,
        attempt: 3,
        max_attempts: 3,
        total_attempts: 3,
        held_by: null,
      } as const
      await q
        .insertInto('outbox_deliveries')
        .values({
          ...delivery,
          ...state,
          created_at: now,
          ended_at: now,
          last_status: 500,
          last_error: 'responded with 500',
          redelivered_by: null,
        })
        .execute()
    })
    const [balances, postings, transfers, deliveries] = await checkInvariants(world)
    expect(balances).toMatchObject({ status: 'fail', detail: 'DEMO amy has 1, its movements give 10000' })
    expect(postings).toMatchObject({ status: 'fail', detail: expect.stringMatching(/sums to -?\d+ units of/) })
    expect(transfers?.status).toBe('pass')
    expect(deliveries).toMatchObject({ status: 'fail', detail: expect.stringContaining('responded with 500') })
  })
})

/** Validates a text by the grammar of the format: each sample has the TYPE of its family, and buckets only increase. */
function expectPrometheus(text: string) {
  const types = new Map<string, string>()
  let last: { series: string; value: number } | undefined
  for (const line of text.trimEnd().split('\n')) {
    const [, name, type] = /^# TYPE (\w+) (counter|gauge|histogram)$/.exec(line) ?? []
    if (name && type) types.set(name, type)
    if (line.startsWith('#')) continue
    const [, metric = '', labels = '', value = ''] =
      /^(\w+)(\{(?:\w+="(?:[^"\\\n]|\\["\\n])*",?)+\})? (\S+)$/.exec(line) ?? []
    expect(metric, line).not.toBe('')
    expect(types.has(metric) || types.get(metric.replace(/_(bucket|sum|count)$/, '')) === 'histogram', line).toBe(true)
    expect(Number.isNaN(Number(value)), line).toBe(false)
    const series = metric + labels.replace(/,?le="[^"]*"/, '')
    if (metric.endsWith('_bucket') && last?.series === series) expect(Number(value)).toBeGreaterThanOrEqual(last.value)
    last = { series, value: Number(value) }
  }
}

test('metrics have the documented format, with escaped labels', () => {
  const value = new Histogram()
  for (const ms of [0.5, 1, 3, 20_000]) value.observeMs(ms)
  const text = prometheusText([
    { name: 'a_total', help: 'A\nB', type: 'counter', values: [{ labels: { job: 'say "hi"\\\n' }, value: 2 }] },
    { name: 'empty', help: 'none', type: 'gauge', values: [] },
    { name: 'h', help: 'H', type: 'histogram', values: [{ value }] },
  ])
  expect(text).toContain('# HELP a_total A\\nB\n# TYPE a_total counter\na_total{job="say \\"hi\\"\\\\\\n"} 2\n')
  expect(text).not.toContain('empty')
  expect(text).toContain('h_bucket{le="0.001"} 2\n')
  expect(text).toContain('h_bucket{le="0.005"} 3\n')
  expect(text).toContain('h_bucket{le="10"} 3\nh_bucket{le="+Inf"} 4\n')
  expect(text).toContain('h_count 4\n')
  expectPrometheus(text)
})

test('a world that records no requests still returns its health', async () => {
  const world = await openWorld({
    db: ':memory:',
    records: { requests: false, hasDesk: false, hasPublicMetrics: true },
  })
  onTestFinished(() => world.close())
  const { url } = await world.server.listen({ port: 0 })
  await fetch(`${url}/api/tenant/v1/tables`)
  expect(world.requests.list()).toEqual([])
  const metrics = await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.5' } })
  expect(await metrics.text()).toContain('endpoint="tables",status="401"')
})
