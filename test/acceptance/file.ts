import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { seededBytes } from '../../src/kit/ambient.ts'
import { ask, requestJsonUntilDone, requestUntilDone } from './asking.ts'
import type { CutPoint } from './breaking-connection.ts'
import type { ChatSetup } from './chat.ts'

/** A file over a connection that breaks, to a server that is killed, each in the middle of a chunk. */
export interface FileSize {
  readonly mib: number
  readonly cuts: number
  readonly kills: number
}

export interface FileOutcome {
  /** The download is byte for byte the upload. */
  readonly isEqual: boolean
  /** Bytes that left the sender's sockets, divided by the file's size. Includes headers and status requests. */
  readonly sentTimes: number
  /** Bytes that the server had acknowledged and then requested again. */
  readonly forgotten: number
  /** Connections that broke in the middle of a chunk or of its response. */
  readonly cuts: number
  /** Number of times the server was killed during a chunk. */
  readonly kills: number
}

/** Positions of the breaks, in turn: the expensive ones more often than the one without cost. */
const cutAt = (turn: number, chance: number): CutPoint =>
  turn % 4 === 3 ? { of: 'answer', share: chance } : { of: 'request', share: chance }

/**
 * States of a chunk when the server is killed, in turn: half received, complete without a response, and acknowledged
 * without the client's knowledge.
 */
const killAt = (turn: number): CutPoint => killPoints[turn % killPoints.length] ?? killPoints[0]
const killPoints = [
  { of: 'request', share: 0.5 },
  { of: 'request', share: 1, afterMs: 2 },
  { of: 'answer', share: 0 },
] as const

const mib = 1_048_576
const pieceBytes = 16_384

/**
 * Maximum number of sent bytes as a multiple of the file's size. Bytes that arrived before a break are kept, so a break
 * costs only those between the sender and the connection. A kill costs the unacknowledged bytes of the chunk, and one
 * more refused chunk while the killed writer's lease lasts. Headers and status requests are extra.
 */
export function maxSentTimes({ mib: size, cuts, kills }: FileSize): number {
  const bytes = size * mib
  const atCuts = turns(cuts, cutAt).map(({ of }) => (of === 'request' ? aheadBytes : 0))
  const atKills = turns(kills, killAt).map(({ of, share }) =>
    of === 'request' ? share * chunkBytes + aheadBytes + chunkBytes : 0,
  )
  const requests = bytes / chunkBytes + 2 * (cuts + kills) + 3
  return 1 + [...atCuts, ...atKills, requests * headBytes].reduce((sum, each) => sum + each, 0) / bytes
}

/**
 * Requests the offset until the server has read all bytes that the connection passed. A busy server's first response
 * may be lower: the difference would depend on the machine, and would be sent again.
 */
async function received(status: () => Promise<{ readonly receivedBytes: number }>, passed: number): Promise<number> {
  for (let attempt = 0; attempt < 3_000; attempt++) {
    const { receivedBytes } = await status()
    if (receivedBytes >= passed) return receivedBytes
    await setTimeout(10)
  }
  throw new Error(`the connection passed ${passed} bytes of the file, and the server does not have them`)
}

/** Sizes of chunks, as the server requests them. */
const chunkBytes = 262_144
const aheadBytes = 3 * pieceBytes
const headBytes = 1_024

const turns = (count: number, pointOf: (turn: number, chance: number) => CutPoint): CutPoint[] =>
  Array.from({ length: count }, (_, turn) => pointOf(turn, 0))

export async function sendFile(size: FileSize, { room, chat, ...setup }: ChatSetup): Promise<FileOutcome> {
  const connection = await setup.connection()
  const file = randomBytes(size.mib * mib)
  file.write('%PDF-1.7')
  const headers = { 'x-chat-room-token': room.roomToken, 'x-chat-tenant-key': chat.tenantKey }
  const json = { ...headers, 'content-type': 'application/json' }
  const base = `${connection.url}/api/widget/v1/rooms/${room.roomId}/media`
  let sent = 0
  const weigh = (bytes: number) => {
    sent += bytes
  }
  const order = { fileName: 'a.pdf', contentType: 'application/pdf', sizeBytes: file.length, clientUploadId: 'u' }
  const begun = await requestJsonUntilDone(`${base}/initialize`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(order),
    weigh,
  })
  const upload = `${base}/${begun.uploadId}`

  const seed = seededBytes('file cuts')
  const chance = () => (seed(1)[0] ?? 0) / 256
  let [cuts, kills, forgotten] = [0, 0, 0]
  let planned = 0
  let killing = 0
  let isBack = Promise.resolve()
  for (let at = 0; at < file.length; ) {
    const chunk = file.subarray(at, at + begun.chunkSizeBytes)
    let answered = at
    // Bytes that passed before the break arrive when the server reads them.
    let passed = at
    const breaking = (hit: CutPoint, broken: () => void) => {
      connection.breakAt(hit, broken)
      if (hit.of === 'answer') answered = at + chunk.length
    }
    if (planned < size.cuts && at >= (planned * file.length) / size.cuts) {
      const point = cutAt(planned++, chance())
      breaking(point, () => cuts++)
      if (point.of === 'request') passed = at + Math.floor(point.share * chunk.length) - headBytes
    } else if (killing < size.kills && at >= ((killing + 1) * file.length) / (size.kills + 1))
      breaking(killAt(killing++), () => {
        kills++
        isBack = setup.killAndServe()
      })
    const reply = await ask(`${upload}/chunk`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/octet-stream', 'upload-offset': String(at) },
      body: chunk,
      pieceBytes,
      taken: connection.taken,
      weigh,
    })
    await isBack
    // Only a chunk that arrives while the previous one is being stored is refused.
    assert([undefined, 200, 409, 423].includes(reply?.status), `a chunk was answered ${reply?.status}: ${reply?.body}`)
    // The lease of a killed writer lasts for a moment.
    if (reply?.status === 423) await setTimeout(reply.waitMs)
    // After an unknown outcome the server reports the offset to continue from.
    const receivedBytes =
      reply?.status === 200
        ? JSON.parse(reply.body.toString()).receivedBytes
        : await received(() => requestJsonUntilDone(upload, { headers, weigh }), passed)
    forgotten += Math.max(0, answered - receivedBytes)
    at = receivedBytes
  }
  const { attachments } = await requestJsonUntilDone(`${upload}/complete`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ clientMessageId: 'file' }),
    weigh,
  })
  const { pathname, search } = new URL(attachments[0].downloadUrl)
  const { body } = await requestUntilDone(connection.url + pathname + search, {})
  const hashes = [file, body].map((bytes) => createHash('sha256').update(bytes).digest('hex'))
  const isEqual = hashes.every((hash) => hash === attachments[0].sha256)
  return { isEqual, sentTimes: sent / file.length, forgotten, cuts, kills }
}
