import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { silentLog } from '../../../src/kit/log.ts'
import { saveWorld } from '../../../src/world/clock.ts'
import { Handover } from '../../../src/world/requests/handover.ts'
import { openWorld, type World } from '../../../src/world/world.ts'
import { aReceiver } from '../../support/http/receiver.ts'
import { run } from '../../support/program/cli.ts'
import { faultyProxy, localHome } from '../../support/worlds/served.ts'

test('what a command does next to a served world is listed, followed and counted by the serving process', async () => {
  const home = await localHome()
  const target = await aReceiver()
  const { world, url } = await recordingWorld(home.db)
  const followed: string[] = []
  world.requests.follow({}, ({ path }) => followed.push(path))

  await run(['console', 'webhooks', 'set', 'DEMO', '--url', `${target.url}/hook`, '--events', 'all'], { home })
  await run(['console', 'webhooks', 'enable', 'DEMO'], { home })
  expect((await run(['console', 'webhooks', 'test', 'DEMO'], { home })).code).toBe(0)
  expect((await run(['players', 'show', 'nobody'], { home })).code).toBe(5)

  const [callback] = await world.requests.details({ kind: 'callback' })
  expect(callback).toMatchObject({
    service: 'casino',
    environment: 'live',
    status: 204,
    address: expect.stringMatching(/^process \d+$/),
    outcome: { kind: 'handled' },
    copies: { command: `countroom console deliveries replay ${callback?.delivery}` },
  })
  expect(JSON.parse(callback?.request.body ?? '')).toMatchObject({ event: callback?.endpoint, companyCode: 'DEMO' })
  expect((await world.requests.details({ path: '/player' }))[0]).toMatchObject({
    endpoint: 'player',
    status: 404,
    code: 'PLAYER_NOT_FOUND',
    outcome: { kind: 'refused', message: expect.stringMatching(/^PLAYER_NOT_FOUND: .+/) },
    signature: { verdict: 'accepted' },
    copies: { command: 'countroom players show nobody' },
  })
  expect(followed).toEqual([`${target.url}/hook`, expect.stringContaining('/player?username=nobody')])
  const metrics = await (await fetch(`${url}/metrics`)).text()
  expect(metrics).toContain(`{kind="callback",service="casino",endpoint="${callback?.endpoint}",status="204"} 1`)
  expect(metrics).toContain('{kind="request",service="casino",endpoint="player",status="404"} 1')

  // The interface takes nothing without the token, and nothing that is no request.
  const post = (headers: Record<string, string>, body: string) =>
    fetch(`${url}/desk/api/handover`, { method: 'POST', headers, body }).then(({ status }) => status)
  const authorization = `Bearer ${world.deskToken()}`
  expect(await post({}, '{"exchanges":[]}')).toBe(401)
  expect(await post({ authorization }, '{"sender":"a","batch":1,"exchanges":[{"id":1}]}')).toBe(400)
  expect(await post({ authorization }, '{"sender":"a","exchanges":[]}')).toBe(400)
  expect(await post({ authorization }, '{"batch":1,"exchanges":[]}')).toBe(400)
  expect(await post({ authorization }, '[')).toBe(400)
})

test('requests that a busy serving process did not take are handed over again, and each is listed once', async () => {
  const { world, url } = await recordingWorld()
  const proxy = await faultyProxy(url)
  const token = world.deskToken() ?? ''
  const handover = new Handover({
    serving: { url: proxy.url, token },
    worldNow: Date.now,
    machineNow: Date.now,
    challenge: randomUUID,
    log: silentLog,
  })
  const record = (id: string) => {
    const { exchanges } = handover
    const headers = {}
    const exchange = { kind: 'callback' as const, id, method: 'POST', url: `/${id}`, address: '', headers, prefix: '' }
    exchanges.end(exchanges.begin(exchange))
  }
  // Attempts end when the test ends them: on a busy machine a good response may take longer than their 2 seconds.
  const attempts: AbortController[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const attempt = new AbortController()
    attempts.push(attempt)
    return attempt.signal
  })
  onTestFinished(() => void vi.restoreAllMocks())
  const timeOut = () => attempts.at(-1)?.abort(new DOMException('The attempt timed out', 'TimeoutError'))
  const listed = () => world.requests.list({ kind: 'callback' }).map(({ path }) => path)

  // The response to the first proof does not arrive, nor that to the first batch, which is taken.
  proxy.treat(/handover/, 'hang-after', 'pass', 'hang-after')
  record('first')
  await expect.poll(() => proxy.seen.length).toBe(1)
  expect(listed()).toEqual([])
  timeOut()
  record('second')
  await expect.poll(() => proxy.seen.length).toBe(3)
  await expect.poll(listed).toEqual(['/second', '/first'])
  timeOut()
  record('third')
  await handover.finish()
  expect(listed()).toEqual(['/third', '/second', '/first'])
  expect(proxy.seen.map(({ body }) => JSON.parse(body || '{}').batch)).toEqual([undefined, undefined, 1, 1, 2])
})

test('a program that has taken the port of a crashed world gets neither token nor requests', async () => {
  const home = await localHome()
  const seen: string[] = []
  const other = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    seen.push(`${request.method} ${request.url?.split('?')[0]} ${JSON.stringify(request.headers)} ${body}`)
    response.end('0'.repeat(64))
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const world = await home.open()
  const { port } = other.address() as { port: number }
  await world.store.write((tx) => saveWorld(tx, { served_url: `http://127.0.0.1:${port}`, desk_token: 'the-token' }))
  await world.close()

  expect((await run(['players', 'show', 'amy'], { home })).code).toBe(0)
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatch(/^GET \/desk\/api\/handover /)
  expect(seen[0]).not.toMatch(/the-token|ek_l_/)
})

/** Serves a world that records requests. Without a scheduler: only commands send callbacks. */
async function recordingWorld(db = ':memory:'): Promise<{ world: World; url: string }> {
  const world = await openWorld({ db, loopbackCallbacks: true, records: { requests: true, hasDesk: true } })
  onTestFinished(() => world.close())
  const { url } = await world.server.listen({ port: 0 })
  return { world, url }
}
