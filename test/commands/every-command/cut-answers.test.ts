import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aHome, type Home, run, runJson } from '../../support/program/cli.ts'

/** Ways in which a response ends. */
type Ending =
  /** Complete. */
  | 'whole'
  /** A length is announced, and the connection is dropped halfway. */
  | 'short'
  /** A chunk is announced, and the connection is dropped within it. */
  | 'chunk'
  /** No length is announced, and the connection is closed halfway: HTTP itself sees no error. */
  | 'unseen'
  /** A page of a proxy, with status 200. */
  | 'page'

interface Cutting {
  readonly home: Home
  /** Method and path of each request, in order. */
  readonly seen: string[]
}

const account = {
  plan: 'paid',
  state: 'PAID',
  balanceUsd: '10',
  tablesUsed: 0,
  tablesQuota: null,
  streamGbMonth: '0.000',
  avgDailyUsd7d: '0',
  daysLeft: null,
  graceUntil: null,
}

const player = {
  username: 'amy',
  nickname: null,
  status: 'active',
  currency: 'USD',
  balance: '0',
  online: false,
  createdAt: '2026-03-01T00:00:00.000Z',
  lastLoginAt: null,
}

/** Requests of a command other than the tested one. */
const isAside = (request: string) => request === 'GET /wallet/transfer' || request === 'GET /player'

/** A platform on bare sockets whose responses end in these ways, one after the other; the last one repeats. */
async function aCuttingPlatform(answer: (request: string) => object, endings: readonly Ending[]): Promise<Cutting> {
  const seen: string[] = []
  const ends = new Map<string, number>()
  const server = createServer((socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      text += bytes.toString()
      const [head = '', body] = text.split('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (body === undefined || Buffer.byteLength(body) < length) return
      const [method, path = ''] = head.split(' ')
      const request = `${method} ${path.replace(/^\/api\/tenant\/v1/, '').replace(/\?.*/, '')}`
      seen.push(request)
      const turn = ends.get(request) ?? 0
      ends.set(request, turn + 1)
      give(socket, answer(request), isAside(request) ? 'whole' : (endings[turn] ?? endings.at(-1) ?? 'whole'))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const home = aHome()
  const document = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    casino: { companyCode: 'DEMO', timezone: 'UTC', sandbox: { apiKey: 'ek_s_standin0000', secret: 'standin-secret' } },
  }
  const file = home.write('keys.json', JSON.stringify(document))
  const added = await run(['profiles', 'add', 'remote', '--from', file], { home })
  if (added.code !== 0) throw new Error(added.stderr)
  return { home: { ...home, env: { ...home.env, COUNTROOM_PROFILE: 'remote' } }, seen }
}

function give(socket: Socket, data: object, ending: Ending): void {
  const body = JSON.stringify(data)
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n'
  const half = body.slice(0, body.length / 2)
  if (ending === 'whole') socket.end(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)
  else if (ending === 'short') socket.end(`${head}Content-Length: ${body.length}\r\n\r\n${half}`)
  else if (ending === 'chunk')
    socket.end(`${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${half}`)
  else if (ending === 'unseen') socket.end(`${head}\r\n${half}`)
  else socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<html>Please log in</html>')
}

const ok = (data: object) => ({ ok: true, data })

describe.each<[Ending]>([['short'], ['chunk'], ['unseen'], ['page']])('a truncated response (%s)', (ending) => {
  test('to a GET is temporary and requested again', async () => {
    const once = await aCuttingPlatform(() => ok(account), [ending, 'whole'])
    const fine = await runJson(['account', 'show'], { home: once.home })
    expect([fine.code, fine.data['balanceUsd'], once.seen]).toEqual([0, '10', ['GET /account', 'GET /account']])

    const always = await aCuttingPlatform(() => ok(account), [ending])
    const given = await runJson(['account', 'show'], {
      home: { ...always.home, env: { ...always.home.env, COUNTROOM_ATTEMPTS: '2' } },
    })
    expect([given.code, given.error.category, given.error.retryable]).toEqual([7, 'temporary', true])
    expect(always.seen).toEqual(['GET /account', 'GET /account'])
  })

  test('to a transfer is looked up, and never treated as a refusal', async () => {
    const record = (txnId: string) => ({
      txnId,
      username: 'amy',
      dir: 'in',
      amount: '5',
      status: 'done',
      balance: '5',
      at: '2026-03-01T00:00:00.000Z',
    })
    const result = { txnId: 't-1', status: 'done', balance: '5', duplicate: false }
    const answers: Record<string, object> = { 'GET /player': player, 'GET /wallet/transfer': record('t-1') }
    const answer = (request: string) => ok(answers[request] ?? result)
    const platform = await aCuttingPlatform(answer, [ending])
    const env = { ...platform.home.env, COUNTROOM_ATTEMPTS: '2' }
    const done = await runJson(['wallet', 'deposit', 'amy', '5', 'USD', '--txn', 't-1'], {
      home: { ...platform.home, env },
    })
    expect([done.code, done.data['balance']]).toEqual([0, '5'])
    expect(platform.seen.filter((request) => request === 'GET /wallet/transfer').length).toBeGreaterThan(0)

    const missing = (request: string) =>
      request === 'GET /wallet/transfer'
        ? { ok: false, error: { code: 'TXN_NOT_FOUND', message: 'no such transfer' } }
        : answer(request)
    const lost = await aCuttingPlatform(missing, [ending])
    const unknown = await runJson(['wallet', 'deposit', 'amy', '5', 'USD', '--txn', 't-1'], {
      home: { ...lost.home, env: { ...lost.home.env, COUNTROOM_ATTEMPTS: '2' } },
    })
    expect(unknown.code).toBe(10)
  })
})
