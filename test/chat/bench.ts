import { type ChildProcess, fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/**
 * Measures the chat over real sockets against a server in a process of its own, on an SQLite file:
 * `node test/chat/bench.ts writers|latency|search|upload [count]`.
 */

interface Target {
  readonly url: string
  readonly apiKey: string
  readonly tenantKey: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

function call(target: Target, method: string, path: string, body?: object): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${target.url}/api/public/v1${path}`,
      { method, agent, headers: { 'x-chat-apikey': target.apiKey, 'content-type': 'application/json' } },
      (reply) => {
        let text = ''
        reply.setEncoding('utf8')
        reply.on('data', (chunk) => {
          text += chunk
        })
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: text }))
      },
    )
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

function quantiles(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2)
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms (n=${times.length})`
}

const say = (text: string) => process.stdout.write(`${text}\n`)

/** A file that goes up while its line is cut fifty times and the server is killed and started again three times. */
async function upload(mib: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-chat-bench-'))
  const start = async () => {
    const child = fork(join(import.meta.dirname, 'bench-server.ts'), [folder], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    const [line] = (await once(createInterface({ input: child.stdout ?? process.stdin }), 'line')) as [string]
    return { child, target: JSON.parse(line) as Target }
  }
  let { child, target } = await start()
  const bytes = randomBytes(mib * 1_048_576)
  bytes.write('%PDF-1.7')
  const [room] = await rooms(target, 1)
  const headers = { 'x-chat-room-token': room?.roomToken ?? '', 'x-chat-tenant-key': target.tenantKey }
  const base = () => `${target.url}/api/widget/v1/rooms/${room?.roomId}/media`
  const ask = async (method: string, path: string, body?: object) => {
    const reply = await fetch(base() + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return (await reply.json()) as { uploadId: string; receivedBytes: number; attachments?: { sha256: string }[] }
  }
  const file = { fileName: 'a.pdf', contentType: 'application/pdf', sizeBytes: bytes.length, clientUploadId: 'u' }
  const { uploadId } = await ask('POST', '/initialize', file)
  let sentBytes = 0
  let cuts = 0
  let kills = 0
  const begin = performance.now()
  for (let at = 0; at < bytes.length; at = (await ask('POST', '/initialize', file)).receivedBytes) {
    const chunk = bytes.subarray(at, at + 524_288)
    const isCut = cuts < 50 && cuts <= (50 * at) / bytes.length
    await new Promise<void>((resolve) => {
      const sending = request(`${base()}/${uploadId}/chunk`, {
        method: 'PUT',
        headers: {
          ...headers,
          'content-type': 'application/octet-stream',
          'upload-offset': String(at),
          'content-length': String(chunk.length),
        },
      })
      sending.on('error', () => resolve())
      sending.on('response', (reply) => reply.resume().on('end', resolve))
      const part = isCut ? chunk.subarray(0, Math.floor(chunk.length / 3)) : chunk
      sentBytes += part.length
      sending.write(part, () => {
        if (isCut) setTimeout(() => sending.destroy(), 5)
        else sending.end()
      })
    })
    if (isCut) cuts++
    if (kills < 3 && at > ((kills + 1) * bytes.length) / 4) {
      kills++
      child.kill('SIGKILL')
      await once(child, 'exit')
      ;({ child, target } = await start())
    }
  }
  const sent = await ask('POST', `/${uploadId}/complete`, { clientMessageId: 'm' })
  const isEqual = sent.attachments?.[0]?.sha256 === createHash('sha256').update(bytes).digest('hex')
  say(
    `${mib} MiB with ${cuts} cuts and ${kills} kills in ${((performance.now() - begin) / 1000).toFixed(1)} s: ` +
      `${isEqual ? 'equal' : 'DIFFERENT'}, ${(sentBytes / bytes.length).toFixed(3)} times its bytes sent`,
  )
  child.kill('SIGTERM')
  await once(child, 'exit')
  rmSync(folder, { recursive: true })
}

async function serving(work: (target: Target, child: ChildProcess) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-chat-bench-'))
  const child = fork(join(import.meta.dirname, 'bench-server.ts'), [folder], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: ['--expose-gc'],
  })
  try {
    const lines = createInterface({ input: child.stdout ?? process.stdin })
    const [line] = (await once(lines, 'line')) as [string]
    await work(JSON.parse(line), child)
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
    agent.destroy()
    rmSync(folder, { recursive: true })
  }
}

async function rooms(target: Target, count: number): Promise<{ roomId: string; roomToken: string }[]> {
  const opened: { roomId: string; roomToken: string }[] = []
  for (let i = 0; i < count; i += 50)
    opened.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(50, count - i) }, async (_, j) =>
          JSON.parse((await call(target, 'POST', '/rooms', { customerAccount: `c${i + j}` })).body),
        ),
      )),
    )
  return opened
}

/** Durable messages per second from 32 writers, each in a room of its own. */
async function writers(seconds: number): Promise<void> {
  await serving(async (target) => {
    const mine = await rooms(target, 32)
    const times: number[] = []
    const until = performance.now() + seconds * 1000
    await Promise.all(
      mine.map(async ({ roomId }) => {
        while (performance.now() < until) {
          const begin = performance.now()
          const { status } = await call(target, 'POST', `/rooms/${roomId}/messages/customer-text`, {
            text: 'hello there',
          })
          if (status !== 201) throw new Error(`answered ${status}`)
          times.push(performance.now() - begin)
        }
      }),
    )
    say(`32 writers: ${Math.round(times.length / seconds)} messages/s; ${quantiles(times)}`)
  })
}

/** From the beginning of a POST to the arrival of its event, at 200 messages a second with many streams open. */
async function latency(streams: number): Promise<void> {
  await serving(async (target, child) => {
    const memory = async () => {
      child.send('memory')
      return ((await once(child, 'message')) as [number])[0]
    }
    const mine = await rooms(target, streams)
    const before = await memory()
    const { port } = new URL(target.url)
    const waiting = new Map<string, number>()
    const times: number[] = []
    const sockets: Socket[] = []
    for (let i = 0; i < mine.length; i += 100)
      await Promise.all(
        mine.slice(i, i + 100).map(
          ({ roomId, roomToken }) =>
            new Promise<void>((resolve, reject) => {
              const socket = connect(Number(port), '127.0.0.1', () =>
                socket.write(
                  `GET /api/widget/v1/rooms/${roomId}/events?tenantKey=${target.tenantKey} HTTP/1.1\r\nhost: x\r\nx-chat-room-token: ${roomToken}\r\n\r\n`,
                ),
              )
              sockets.push(socket)
              socket.on('error', reject)
              socket.setEncoding('utf8')
              socket.on('data', (text: string) => {
                if (text.includes('event: ready')) resolve()
                for (const [, id = ''] of text.matchAll(/"text":"(b-\d+)"/g)) {
                  const begin = waiting.get(id)
                  if (begin !== undefined) times.push(performance.now() - begin)
                  waiting.delete(id)
                }
              })
            }),
        ),
      )
    say(`${streams} streams: ${((await memory()) - before) / 1024 / streams} KiB of memory each`)
    const total = 3_000
    const sent: Promise<unknown>[] = []
    const answered: number[] = []
    const start = performance.now()
    for (let i = 0; i < total; ) {
      // Five milliseconds apart on the average: as many as are due by now.
      for (; i < total && i <= (performance.now() - start) / 5; i++) {
        const { roomId } = mine[(i * 7919) % mine.length] ?? { roomId: '' }
        waiting.set(`b-${i}`, performance.now())
        const begin = performance.now()
        sent.push(
          call(target, 'POST', `/rooms/${roomId}/messages/customer-text`, { text: `b-${i}` }).then(() =>
            answered.push(performance.now() - begin),
          ),
        )
      }
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await Promise.all(sent)
    await new Promise((resolve) => setTimeout(resolve, 500))
    say(
      `POST to delivery at ${Math.round((total * 1000) / (performance.now() - start - 500))}/s: ${quantiles(times)}; ${waiting.size} missing`,
    )
    say(`POST to answer: ${quantiles(answered)}`)
    for (const socket of sockets) socket.destroy()
  })
}

const words =
  'deposit withdrawal bonus account late missing transfer bank card limit verify document table round game result error amount refund password login email phone name address'.split(
    ' ',
  )
const signs = [...'存款提現銀行帳戶未到賬驗證碼玩家遊戲結果錯誤金額退款密碼登入電話姓名地址優惠活動客服問題保證金']

/** Pages and keywords over many tickets. */
async function search(count: number): Promise<void> {
  await serving(async (target) => {
    let seed = 7
    const pick = <T>(list: readonly T[]): T => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return list[seed % list.length] as T
    }
    const begin = performance.now()
    for (let i = 0; i < count; i += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, j) => {
          const latin = Array.from({ length: 12 }, () => pick(words)).join(' ')
          const chinese = Array.from({ length: 20 }, () => pick(signs)).join('')
          const rare = (i + j) % 1000 === 0 ? ' zanzibar 龘龘' : ''
          return call(target, 'POST', '/tickets', {
            title: `${pick(words)} ${chinese.slice(0, 6)}`,
            description: `${latin} ${chinese} T-${i + j}${rare}`,
            customerAccount: `c${(i + j) % 5000}`,
          })
        }),
      )
    say(`${count} tickets made at ${Math.round((count * 1000) / (performance.now() - begin))}/s`)
    const cases: [string, string][] = [
      ['first page', ''],
      ['page 100', 'page=100'],
      ['by status', 'status=open'],
      ['by account', 'customerAccount=c77'],
      ['rare word', 'keyword=zanzibar'],
      ['common word', 'keyword=deposit'],
      ['part of a word', 'keyword=eposi'],
      ['two words', 'keyword=deposit+refund'],
      ['one sign', `keyword=${encodeURIComponent('存')}`],
      ['two signs', `keyword=${encodeURIComponent('存款')}`],
      ['three signs', `keyword=${encodeURIComponent('存款提')}`],
      ['rare signs', `keyword=${encodeURIComponent('龘龘')}`],
      ['no such signs', `keyword=${encodeURIComponent('黿鼉')}`],
      ['one ticket', `keyword=T-4242`],
    ]
    for (const [name, query] of cases) {
      const times: number[] = []
      let total = 0
      for (let i = 0; i < 40; i++) {
        const start = performance.now()
        const { body } = await call(target, 'GET', `/tickets?${query}`)
        times.push(performance.now() - start)
        total = JSON.parse(body).total
      }
      say(`${name} (${total} found): ${quantiles(times)}`)
    }
  })
}

const [what = '', count] = process.argv.slice(2)
if (what === 'writers') await writers(Number(count ?? 5))
else if (what === 'latency') await latency(Number(count ?? 5_000))
else if (what === 'search') await search(Number(count ?? 100_000))
else if (what === 'upload') await upload(Number(count ?? 50))
else say('writers [seconds] | latency [streams] | search [tickets] | upload [MiB]')
