import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryAfterMs } from '../../../src/http/client/retry.ts'
import {
  type Retry,
  type RetryOptions,
  retrying,
  signed,
  type Transport,
  throttled,
  type WireReply,
} from '../../../src/http/client/transport.ts'
import { Problem } from '../../../src/kit/problem.ts'

const get = { method: 'GET', path: '/a', headers: {} }
const post = { method: 'POST', path: '/a', headers: {} }
const ok: WireReply = { status: 200, headers: {}, body: '{}' }
const failing = (status: number, headers = {}): WireReply => ({ status, headers, body: '' })
const silence = (code: string) => new Problem(code, 'no answer')

/** A server with these responses in turn, and a time that only sleeping advances. */
function scripted(answers: (WireReply | Error)[], options: Partial<RetryOptions> = {}) {
  const clock = { now: Date.UTC(2026, 2, 1) }
  const waits: number[] = []
  const retries: Retry[] = []
  let calls = 0
  const transport: Transport = async () => {
    const answer = answers[calls++]
    if (answer === undefined) throw new Error('asked too often')
    if (answer instanceof Error) throw answer
    return answer
  }
  const send = retrying(transport, {
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      waits.push(ms)
      clock.now += ms
    },
    random: () => 1 - Number.EPSILON,
    now: () => clock.now,
    observe: (retry) => retries.push(retry),
    ...options,
  })
  return { send, waits, retries, calls: () => calls }
}

test('a stop ends the wait for another attempt of what had no effect, and of nothing else', async () => {
  const stopped = (answers: (WireReply | Error)[]) => {
    const stop = new AbortController()
    const sleep = async (_: number, signal?: AbortSignal) => {
      stop.abort()
      signal?.throwIfAborted()
    }
    return scripted([...answers, ok], { sleep, stop: stop.signal, repeatable: () => true })
  }
  for (const request of [get, post]) {
    const { send, calls } = stopped([silence('REMOTE_UNREACHABLE')])
    await expect(send(request)).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' })
    expect(calls()).toBe(1)
    expect(await stopped([failing(429)]).send(request)).toEqual(failing(429))
  }
  const reading = stopped([silence('REMOTE_LOST')])
  await expect(reading.send(get)).rejects.toMatchObject({ code: 'REMOTE_LOST' })
  expect(reading.calls()).toBe(1)
  // Whether these were carried out is unknown.
  for (const answer of [silence('REMOTE_LOST'), silence('REMOTE_TIMEOUT'), failing(503)]) {
    const { send, calls } = stopped([answer, answer])
    expect(await send(post)).toBe(ok)
    expect(calls()).toBe(3)
  }
})

test('after a stop nothing waits, and a canceled request throws its reason', async () => {
  const stop = AbortSignal.abort()
  const { send, retries } = scripted([silence('REMOTE_UNREACHABLE'), ok], { stop })
  await expect(send(get)).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' })
  expect(retries).toEqual([])
  const canceled = new AbortController()
  const other = scripted([silence('REMOTE_UNREACHABLE'), ok], {
    stop: new AbortController().signal,
    sleep: async (_, signal) => {
      canceled.abort(new Error('canceled'))
      signal?.throwIfAborted()
    },
  })
  await expect(other.send({ ...get, signal: canceled.signal })).rejects.toThrow('canceled')
})

test('waits double from one second, and each is reported before it starts', async () => {
  const { send, waits, retries } = scripted([
    failing(500),
    failing(429),
    silence('REMOTE_LOST'),
    silence('REMOTE_TIMEOUT'),
    ok,
  ])
  expect(await send(get)).toBe(ok)
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000])
  expect(retries.map(({ attempt, waitMs, reason }) => [attempt, waitMs, reason])).toEqual([
    [1, 1_000, '500'],
    [2, 2_000, '429'],
    [3, 4_000, 'REMOTE_LOST'],
    [4, 8_000, 'REMOTE_TIMEOUT'],
  ])
})

test('jitter adds up to half of a wait', async () => {
  const { send, waits } = scripted([failing(503), failing(503), ok], { random: () => 0 })
  await send(get)
  expect(waits).toEqual([500, 1_000])
})

test('no wait exceeds the maximum', async () => {
  fc.assert(
    await fc.asyncProperty(
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.integer({ min: 1, max: 12 }),
      async (chance, attempts) => {
        const { send, waits } = scripted(Array(attempts).fill(failing(500)), {
          random: () => chance,
          attempts,
          longestWaitMs: 5_000,
        })
        expect((await send(get)).status).toBe(500)
        expect(waits).toHaveLength(attempts - 1)
        for (const [i, wait] of waits.entries()) {
          const full = Math.min(5_000, 1_000 * 2 ** i)
          expect(wait).toBeGreaterThanOrEqual(full / 2)
          expect(wait).toBeLessThanOrEqual(full)
        }
      },
    ),
  )
})

test('after the last attempt the last outcome is returned unchanged', async () => {
  const last = failing(502)
  expect(await scripted([failing(500), last], { attempts: 2 }).send(get)).toBe(last)
  const error = silence('REMOTE_TIMEOUT')
  await expect(scripted([failing(500), error], { attempts: 2 }).send(get)).rejects.toBe(error)
})

test.each([200, 201, 301, 400, 401, 403, 404, 409, 413, 422, 501])('a %i is final', async (status) => {
  const { send, calls } = scripted([failing(status)])
  expect((await send(get)).status).toBe(status)
  expect(calls()).toBe(1)
})

test.each([silence('REMOTE_UNINTELLIGIBLE'), silence('INSUFFICIENT_BALANCE'), new TypeError('a bug')])(
  '%s is final',
  async (error) => {
    const { send, calls } = scripted([error])
    await expect(send(get)).rejects.toBe(error)
    expect(calls()).toBe(1)
  },
)

test('a Retry-After is respected, in seconds or as a date', async () => {
  const { send, waits } = scripted([
    failing(429, { 'retry-after': '7' }),
    failing(503, { 'retry-after': new Date(Date.UTC(2026, 2, 1) + 7_000 + 9_000).toUTCString() }),
    failing(429, { 'retry-after': '0' }),
    failing(429, { 'retry-after': 'soon' }),
    ok,
  ])
  await send(get)
  expect(waits).toEqual([7_000, 9_000, 4_000, 8_000])
})

test('a server that requires a longer wait than the limit gets no further request', async () => {
  const { send, calls } = scripted([failing(429, { 'retry-after': '3600' })])
  expect((await send(get)).status).toBe(429)
  expect(calls()).toBe(1)
})

test.each([undefined, '', '-1', '1.5', 'x'])('a Retry-After of %s is ignored', (header) => {
  expect(Number.isInteger(retryAfterMs(header, 0)) && header !== '-1' && header !== '1.5').toBe(false)
})

test('a POST with an unknown outcome is not repeated without an idempotency key', async () => {
  for (const outcome of [failing(500), silence('REMOTE_TIMEOUT'), silence('REMOTE_LOST')]) {
    const bare = scripted([outcome, ok])
    await bare.send(post).catch(() => {})
    expect(bare.calls()).toBe(1)
    const keyed = scripted([outcome, ok])
    expect(await keyed.send({ ...post, headers: { 'idempotency-key': 'k' } })).toBe(ok)
    const repeatable = scripted([outcome, ok], { repeatable: () => true })
    expect(await repeatable.send(post)).toBe(ok)
  }
})

test('a POST that was certainly not processed can be repeated', async () => {
  expect(await scripted([failing(429), silence('REMOTE_UNREACHABLE'), ok]).send(post)).toBe(ok)
})

test('an abort ends the wait and the retries', async () => {
  const stop = new AbortController()
  const { send, calls } = scripted([failing(500), ok], {
    sleep: async () => stop.abort(new Error('enough')),
  })
  await expect(send({ ...get, signal: stop.signal })).rejects.toThrow('enough')
  expect(calls()).toBe(1)
})

test('each attempt is signed again', async () => {
  let nonce = 0
  const nonces: string[] = []
  const transport: Transport = async ({ headers }) => {
    nonces.push(headers['x-nonce'] ?? '')
    return nonces.length < 3 ? failing(500) : ok
  }
  const send = retrying(
    signed(transport, () => ({ 'x-nonce': String(++nonce) })),
    {
      sleep: async () => {},
      random: () => 0,
      now: () => 0,
    },
  )
  await send(get)
  expect(nonces).toEqual(['1', '2', '3'])
})

test('a throttled transport sends in order within its rate, and saves at most its burst', async () => {
  const clock = { now: 10_000 }
  const sent: [string, number][] = []
  const due: { at: number; go: () => void }[] = []
  const transport: Transport = async ({ path }) => {
    sent.push([path, clock.now])
    return ok
  }
  const send = throttled(transport, {
    limit: { perSecond: 4, burst: 1 },
    now: () => clock.now,
    sleep: (ms) => new Promise((go) => due.push({ at: clock.now + ms, go })),
  })
  const moveTo = async (now: number) => {
    clock.now = now
    for (const { at, go } of due) if (at <= now) go()
    await new Promise(setImmediate)
  }
  const calls = ['/1', '/2', '/3', '/4'].map((path) => send({ ...get, path }))
  for (const now of [10_000, 10_250, 10_500, 10_750]) await moveTo(now)
  await Promise.all(calls)
  expect(sent).toEqual([
    ['/1', 10_000],
    ['/2', 10_250],
    ['/3', 10_500],
    ['/4', 10_750],
  ])
  await moveTo(20_000)
  const later = ['/5', '/6'].map((path) => send({ ...get, path }))
  await moveTo(20_000)
  expect(sent.slice(4)).toEqual([['/5', 20_000]])
  await moveTo(20_250)
  await Promise.all(later)
  expect(sent.at(-1)).toEqual(['/6', 20_250])
})

test('with a maximum total wait, requests are repeated as often as fits, and a longer Retry-After is respected', async () => {
  const many = scripted([...Array(9).fill(failing(429)), ok], { maxWaitMs: 600_000 })
  expect(await many.send(get)).toBe(ok)
  expect(many.waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000])
  const asking = scripted([failing(429, { 'retry-after': '90' }), ok], { maxWaitMs: 90_000 })
  expect(await asking.send(get)).toBe(ok)
  const short = scripted([failing(503), failing(503), failing(503)], { maxWaitMs: 3_500 })
  expect((await short.send(get)).status).toBe(503)
  expect(short.waits).toEqual([1_000, 2_000])
  const none = scripted([failing(429)], { maxWaitMs: 0 })
  expect((await none.send(get)).status).toBe(429)
})
