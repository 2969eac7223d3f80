import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { seededBytes } from '../../src/kit/ambient.ts'
import { eventReader } from '../../src/wire/event-stream.ts'
import { freePort, type Served, served, workbench } from '../support/processes.ts'

/**
 * A conversation and a file through lines that are cut again and again and a server that is killed at random instants:
 * every message is there once, in order, for the one who reads the stream as for the one who asks afterwards, and the
 * file is byte for byte the one that was sent.
 */
export interface ChatSize {
  readonly messages: number
  readonly cuts: number
  readonly kills: number
  readonly mib: number
  readonly uploadCuts: number
  readonly uploadKills: number
}

export const full: ChatSize = { messages: 5_000, cuts: 1_000, kills: 10, mib: 50, uploadCuts: 50, uploadKills: 3 }
export const small: ChatSize = { messages: 150, cuts: 40, kills: 2, mib: 3, uploadCuts: 4, uploadKills: 1 }

export interface ChatOutcome {
  readonly heard: number
  readonly repeated: number
  readonly cuts: number
  readonly kills: number
  readonly isFileEqual: boolean
  /** How many times the file's bytes went over the line. */
  readonly sentTimes: number
}

interface Reply {
  readonly status: number
  readonly body: string
}

/** One request on a connection of its own; cut after so long, whether it was answered or not. Undefined when it was lost. */
function ask(url: string, { method = 'GET', headers = {}, body, cutAfterMs }: Asked): Promise<Reply | undefined> {
  return new Promise((resolve) => {
    const sent = request(url, { method, headers, agent: false }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (piece) => {
        text += piece
      })
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: text }))
      reply.on('error', () => resolve(undefined))
      reply.on('close', () => resolve(undefined))
    })
    sent.on('error', () => resolve(undefined))
    sent.end(body)
    if (cutAfterMs !== undefined) globalThis.setTimeout(() => sent.destroy(), cutAfterMs)
  })
}

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly cutAfterMs?: number | undefined
}

/** The same, again and again until it was answered well. */
async function insist(url: string, asked: Asked): Promise<Reply> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const reply = await ask(url, attempt === 0 ? asked : { ...asked, cutAfterMs: undefined })
    if (reply !== undefined && reply.status < 300) return reply
    assert(reply === undefined || reply.status >= 500, `${url} answered ${reply?.status}: ${reply?.body}`)
    await setTimeout(25)
  }
  throw new Error(`${url} did not answer`)
}

export async function chatAccept(size: ChatSize, say: (text: string) => void = () => {}): Promise<ChatOutcome> {
  const { folder, env, done } = workbench('chat-acceptance')
  const port = await freePort()
  const serveAgain = () =>
    served(folder, env, ['--db', join(folder, 'world.db'), '--port', String(port), '--no-rate-limit', '--quiet'])
  let world: Served = await serveAgain()
  const killAndServe = async () => {
    await world.kill()
    world = await serveAgain()
  }
  const { chat } = JSON.parse(readFileSync(world.readyFile, 'utf8'))
  const url = world.baseUrl
  try {
    const opened = await insist(`${url}/api/public/v1/rooms`, {
      method: 'POST',
      headers: { 'x-chat-apikey': chat.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ customerAccount: 'amy' }),
    })
    const room = JSON.parse(opened.body)
    say(`${size.messages} messages, ${size.cuts} cuts, ${size.kills} kills`)
    const told = await conversation(size, { url, apiKey: chat.apiKey, tenantKey: chat.tenantKey, room, killAndServe })
    say(`a file of ${size.mib} MiB, ${size.uploadCuts} cuts, ${size.uploadKills} kills`)
    const file = await upload(size, { url, tenantKey: chat.tenantKey, room, killAndServe })
    return { ...told, ...file }
  } finally {
    await world.stop()
    done()
  }
}

interface Place {
  readonly url: string
  readonly tenantKey: string
  readonly room: { readonly roomId: string; readonly roomToken: string }
  readonly killAndServe: () => Promise<void>
}

async function conversation(
  { messages, cuts, kills }: ChatSize,
  { url, apiKey, tenantKey, room, killAndServe }: Place & { readonly apiKey: string },
) {
  const chance = seededBytes('cuts')
  const heard: { seq: number; text: string }[] = []
  let lastId: string | undefined
  let isOver = false
  let cutStream = () => {}
  const reading = (async () => {
    while (!isOver) {
      await new Promise<void>((resolve) => {
        const headers = {
          'x-chat-room-token': room.roomToken,
          ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
        }
        const path = `/api/widget/v1/rooms/${room.roomId}/events?tenantKey=${tenantKey}`
        const sent = request(url + path, { headers, agent: false }, (reply) => {
          const read = eventReader(({ id, event, data }) => {
            if (event === 'message.created') {
              const { seq, text } = JSON.parse(data).message
              heard.push({ seq, text })
            }
            if (id !== undefined) lastId = id
          })
          reply.setEncoding('utf8')
          reply.on('data', read)
          reply.on('error', () => {})
          reply.on('close', resolve)
        })
        cutStream = () => sent.destroy()
        sent.on('error', () => resolve())
        sent.end()
      })
      await setTimeout(10)
    }
  })()
  // The stream begins at the present: the first message is written once it listens.
  while (lastId === undefined) await setTimeout(5)
  const cutEvery = messages / cuts
  const killEvery = messages / (kills + 1)
  let cut = 0
  let killed = 0
  for (let i = 1; i <= messages; i++) {
    const isCut = cut < cuts && i >= (cut + 1) * cutEvery
    // In turn the writer's line, anywhere between sending and being answered, and the reader's.
    const cutAfterMs = isCut && cut % 2 === 0 ? (chance(1)[0] ?? 0) % 6 : undefined
    if (isCut && cut % 2 === 1) cutStream()
    if (isCut) cut++
    const killing = killed < kills && i >= (killed + 1) * killEvery ? killAndServe() : undefined
    if (killing) killed++
    await insist(`${url}/api/public/v1/rooms/${room.roomId}/messages/customer-text`, {
      method: 'POST',
      headers: { 'x-chat-apikey': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ text: `message ${i}`, clientMessageId: `c-${i}` }),
      cutAfterMs,
    })
    await killing
  }
  for (let i = 0; i < 1_000 && heard.length < messages; i++) await setTimeout(20)
  isOver = true
  cutStream()
  await reading
  assert.deepEqual(
    heard,
    Array.from({ length: messages }, (_, i) => ({ seq: i + 1, text: `message ${i + 1}` })),
  )
  const last = await insist(`${url}/api/public/v1/rooms/${room.roomId}/messages?page=1`, {
    headers: { 'x-chat-apikey': apiKey },
  })
  assert.equal(JSON.parse(last.body).total, messages)
  return {
    heard: heard.length,
    repeated: heard.length - new Set(heard.map(({ seq }) => seq)).size,
    cuts: cut,
    kills: killed,
  }
}

async function upload({ mib, uploadCuts, uploadKills }: ChatSize, { url, tenantKey, room, killAndServe }: Place) {
  const bytes = randomBytes(mib * 1_048_576)
  bytes.write('%PDF-1.7')
  const headers = { 'x-chat-room-token': room.roomToken, 'x-chat-tenant-key': tenantKey }
  const base = `${url}/api/widget/v1/rooms/${room.roomId}/media`
  const order = JSON.stringify({
    fileName: 'a.pdf',
    contentType: 'application/pdf',
    sizeBytes: bytes.length,
    clientUploadId: 'u',
  })
  const initialize = async () => {
    const json = { ...headers, 'content-type': 'application/json' }
    return JSON.parse((await insist(`${base}/initialize`, { method: 'POST', headers: json, body: order })).body)
  }
  const { uploadId } = await initialize()
  let sentBytes = 0
  let cuts = 0
  let kills = 0
  for (let at = 0; at < bytes.length; at = (await initialize()).receivedBytes) {
    const chunk = bytes.subarray(at, at + 524_288)
    const isCut = cuts < uploadCuts && cuts <= (uploadCuts * at) / bytes.length
    await sendChunk(`${base}/${uploadId}/chunk`, { ...headers, 'upload-offset': String(at) }, chunk, isCut)
    sentBytes += isCut ? Math.floor(chunk.length / 3) : chunk.length
    if (isCut) cuts++
    if (kills < uploadKills && at > ((kills + 1) * bytes.length) / (uploadKills + 1)) {
      kills++
      await killAndServe()
    }
  }
  const sent = await insist(`${base}/${uploadId}/complete`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ clientMessageId: 'file' }),
  })
  const { attachments } = JSON.parse(sent.body)
  const isFileEqual = attachments[0].sha256 === createHash('sha256').update(bytes).digest('hex')
  assert(isFileEqual, 'the file is another one')
  assert.deepEqual([cuts, kills], [uploadCuts, uploadKills])
  return { isFileEqual, sentTimes: sentBytes / bytes.length }
}

/** One chunk; of one that is cut a third goes out before the line breaks. */
function sendChunk(
  url: string,
  headers: Readonly<Record<string, string>>,
  chunk: Buffer,
  isCut: boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const sent = request(url, {
      method: 'PUT',
      agent: false,
      headers: { ...headers, 'content-type': 'application/octet-stream', 'content-length': String(chunk.length) },
    })
    sent.on('error', () => resolve())
    sent.on('response', (reply) => reply.resume().on('close', resolve))
    if (!isCut) sent.end(chunk)
    else
      sent.write(chunk.subarray(0, Math.floor(chunk.length / 3)), () => globalThis.setTimeout(() => sent.destroy(), 5))
  })
}

if (process.argv[1] === import.meta.filename) {
  const begun = performance.now()
  const outcome = await chatAccept(full, (text) => process.stderr.write(`${text}\n`))
  process.stdout.write(`${JSON.stringify({ ...outcome, seconds: Math.round((performance.now() - begun) / 1000) })}\n`)
}
