import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { count, figure, isQuick, log } from './bench.ts'
import { aDatabase } from './postgres.ts'

/** The chat over real sockets, against a server in a process of its own. */

export interface Target {
  readonly url: string
  readonly apiKey: string
  readonly tenantKey: string
}

export interface Room {
  readonly roomId: string
  readonly roomToken: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

export function call(
  target: Target,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-chat-apikey': target.apiKey, 'content-type': 'application/json' }
    const sent = request(`${target.url}/api/public/v1${path}`, { method, agent, headers }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (chunk) => {
        text += chunk
      })
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: text }))
    })
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

const quantile = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
const fine = (value: number) => `${value.toFixed(1)} ms`

export async function serving<T>(
  work: (target: Target, child: ChildProcess) => Promise<T>,
  { db, script = 'chat-server.ts' }: { db?: string | undefined; script?: string } = {},
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-bench-chat-'))
  const child = fork(join(import.meta.dirname, script), [folder, ...(db === undefined ? [] : [db])], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: ['--expose-gc'],
  })
  try {
    const lines = createInterface({ input: child.stdout ?? process.stdin })
    const [line] = (await once(lines, 'line')) as [string]
    return await work(JSON.parse(line), child)
  } finally {
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
    rmSync(folder, { recursive: true })
  }
}

export async function rooms(target: Target, size: number): Promise<Room[]> {
  const opened: Room[] = []
  for (let i = 0; i < size; i += 50)
    opened.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(50, size - i) }, async (_, j) =>
          JSON.parse((await call(target, 'POST', '/rooms', { customerAccount: `c${i + j}` })).body),
        ),
      )),
    )
  return opened
}

/** Opens the stream of each room, as its customer's browser does. */
export async function streams(
  target: Target,
  mine: readonly Room[],
  hear: (text: string) => void,
  lastEventId = '',
): Promise<Socket[]> {
  const resume = lastEventId === '' ? '' : `last-event-id: ${lastEventId}\r\n`
  const { port } = new URL(target.url)
  const sockets: Socket[] = []
  const open = ({ roomId, roomToken }: Room) =>
    new Promise<void>((resolve, reject) => {
      const path = `/api/widget/v1/rooms/${roomId}/events?tenantKey=${target.tenantKey}`
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nx-chat-room-token: ${roomToken}\r\n${resume}\r\n`),
      )
      sockets.push(socket)
      socket.on('error', reject)
      socket.setEncoding('utf8')
      socket.on('data', (text: string) => {
        if (text.includes('event: ready')) resolve()
        hear(text)
      })
    })
  for (let i = 0; i < mine.length; i += 100) await Promise.all(mine.slice(i, i + 100).map(open))
  return sockets
}

/**
 * Measures the time from the start of a POST to the arrival of its event, at 200 messages per second with many open
 * streams.
 */
export async function pushing(): Promise<void> {
  const size = isQuick ? 500 : 5_000
  const total = isQuick ? 400 : 3_000
  await serving(async (target) => {
    const mine = await rooms(target, size)
    const waiting = new Map<string, number>()
    const times: number[] = []
    const sockets = await streams(target, mine, (text) => {
      for (const [, id = ''] of text.matchAll(/"text":"(b-\d+)"/g)) {
        const begin = waiting.get(id)
        if (begin !== undefined) times.push(performance.now() - begin)
        waiting.delete(id)
      }
    })
    const sent: Promise<unknown>[] = []
    const start = performance.now()
    for (let i = 0; i < total; ) {
      // 5 ms apart on average: sends as many as are due by now.
      for (; i < total && i <= (performance.now() - start) / 5; i++) {
        const { roomId } = mine[(i * 7919) % mine.length] ?? { roomId: '' }
        waiting.set(`b-${i}`, performance.now())
        sent.push(call(target, 'POST', `/rooms/${roomId}/messages/customer-text`, { text: `b-${i}` }))
      }
      await wait(1)
    }
    await Promise.all(sent)
    await wait(500)
    for (const socket of sockets) socket.destroy()
    if (waiting.size > 0) throw new Error(`${waiting.size} messages did not arrive`)
    const [half, most] = [quantile(times, 0.5), quantile(times, 0.99)]
    figure({
      what: `chat: POST to delivery at 200/s, ${count(size)} streams open, durable`,
      measured: `p50 ${fine(half)}, p99 ${fine(most)}`,
      baseline: 'none',
      goal: 'p50 at most 3 ms, p99 at most 15 ms',
      isMet: half <= 3 && most <= 15,
    })
  })
}

/** Measures the memory of an open stream: the server's resident memory with all of them minus that without. */
async function kibPerStream(size: number, target: Target, child: ChildProcess, room: Room): Promise<number> {
  const memory = async () => {
    child.send('memory')
    return ((await once(child, 'message')) as [number])[0]
  }
  // All streams read one room, because the stream is measured and rooms are rows.
  const warm = await streams(target, Array<Room>(200).fill(room), () => {})
  for (const socket of warm) socket.destroy()
  await wait(500)
  const before = await memory()
  const sockets = await streams(target, Array<Room>(size).fill(room), () => {})
  const each = ((await memory()) - before) / 1024 / size
  for (const socket of sockets) socket.destroy()
  return each
}

/** The chat's streams compared with those of a server that only serves streams. */
export async function holding(): Promise<void> {
  const size = isQuick ? 1_000 : 10_000
  const nobodys = { roomId: `room_${'0'.repeat(26)}`, roomToken: `rt_${'a'.repeat(130)}` }
  const bare = await serving((target, child) => kibPerStream(size, target, child, nobodys), {
    script: 'baselines/bare-streams.ts',
  })
  const each = await serving(async (target, child) => {
    const [one] = await rooms(target, 1)
    if (!one) throw new Error('a room is opened')
    return kibPerStream(size, target, child, one)
  })
  figure({
    what: `chat: memory of an open stream, ${count(size)} open`,
    measured: `${each.toFixed(1)} KiB`,
    baseline: `bare node:http that says one event ${bare.toFixed(1)} KiB`,
    ratio: each / bare,
    goal: 'at most 20 KiB',
    isMet: each <= 20,
  })
}

/** Measures durable messages per second from 32 writers, each in a room of its own, on both engines. */
export async function writing(): Promise<void> {
  const seconds = isQuick ? 1 : 6
  const write = (db?: string) =>
    serving(
      async (target) => {
        const mine = await rooms(target, 32)
        let done = 0
        let until = performance.now() + 1000
        const writer = async ({ roomId }: Room) => {
          while (performance.now() < until) {
            const text = { text: 'hello there' }
            const { status } = await call(target, 'POST', `/rooms/${roomId}/messages/customer-text`, text)
            if (status !== 201) throw new Error(`answered ${status}`)
            done += 1
          }
        }
        await Promise.all(mine.map(writer))
        done = 0
        until = performance.now() + seconds * 1000
        await Promise.all(mine.map(writer))
        return done / seconds
      },
      { db },
    )
  const postgres = await aDatabase()
  for (const [name, db] of [
    ['SQLite', undefined],
    ['PostgreSQL', postgres.url],
  ] as const) {
    const rate = await write(db)
    figure({
      what: `chat: durable messages from 32 writers, ${name}`,
      measured: `${count(rate)}/s`,
      baseline: 'none',
      goal: 'at least 1,000/s',
      isMet: rate >= 1_000,
    })
  }
  await postgres.stop()
}

const words =
  'deposit withdrawal bonus account late missing transfer bank card limit verify document table round game result error amount refund password login email phone name address'.split(
    ' ',
  )
const characters = [...'存款提現銀行帳戶未到賬驗證碼玩家遊戲結果錯誤金額退款密碼登入電話姓名地址優惠活動客服問題保證金']

const lists = ['', 'page=100', 'status=open', 'customerAccount=c77']
const keywords = [
  ...['zanzibar', 'deposit', 'eposi', 'deposit refund', '"deposit refund"', 'T-4242', 'er', 'zq', 'l', 'z', '9'],
  ...['存', '存款', '存款提', '龘龘', '黿鼉', 't存', '%', '-', '😀'],
]

/** Measures pages and keywords over many tickets, one request after another. */
export async function searching(): Promise<void> {
  const size = isQuick ? 2_000 : 100_000
  await serving(async (target) => {
    let seed = 7
    const pick = <T>(list: readonly T[]): T => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return list[seed % list.length] as T
    }
    log(`making ${count(size)} tickets…`)
    for (let i = 0; i < size; i += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, j) => {
          const latin = Array.from({ length: 12 }, () => pick(words)).join(' ')
          const chinese = Array.from({ length: 20 }, () => pick(characters)).join('')
          const rare = (i + j) % 1000 === 0 ? ' zanzibar 龘龘' : ''
          return call(target, 'POST', '/tickets', {
            title: `${pick(words)} ${chinese.slice(0, 6)}`,
            description: `${latin} ${chinese} T-${i + j}${rare}`,
            customerAccount: `c${(i + j) % 5000}`,
          })
        }),
      )
    const worst = async (queries: readonly string[]) => {
      const all: number[] = []
      for (const query of queries) {
        const times: number[] = []
        // Enough requests that the slowest hundredth is more than one.
        for (let i = 0; i < 200; i++) {
          const start = performance.now()
          await call(target, 'GET', `/tickets?${query}`)
          times.push(performance.now() - start)
        }
        all.push(quantile(times, 0.99))
      }
      return Math.max(...all)
    }
    const listed = await worst(lists)
    const searchMs = await worst(keywords.map((keyword) => `keyword=${encodeURIComponent(keyword)}`))
    figure({
      what: `chat: a page of ${count(size)} tickets, the slowest of ${lists.length} kinds`,
      measured: `p99 ${fine(listed)}`,
      baseline: 'none',
      goal: 'p99 at most 20 ms',
      isMet: listed <= 20,
    })
    figure({
      what: `chat: a keyword in ${count(size)} tickets, the slowest of ${keywords.length}, Chinese ones too`,
      measured: `p99 ${fine(searchMs)}`,
      baseline: 'none',
      goal: 'p99 at most 150 ms',
      isMet: searchMs <= 150,
    })
  })
}
