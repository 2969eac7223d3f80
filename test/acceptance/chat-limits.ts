import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { call, type Room, rooms, serving, streams, type Target } from '../bench/chatting.ts'

/**
 * The chat's limits, over sockets: 10,000 open streams per process and one more, and a room with more than the 10,000
 * stored events. `node test/acceptance/chat-limits.ts`
 */

/** chat-shapes, "Limits": streams of a process, and events of a room. */
const maxStreams = 10_000
const maxEvents = 10_000
/** A gap of more events than this is answered by `resync`. */
const maxReplayed = 1_000

interface Refusal {
  readonly status: number
  readonly retryAfter: string | null
  readonly code: string
}

const pathOf = ({ url, tenantKey }: Target, { roomId }: Room) =>
  `${url}/api/widget/v1/rooms/${roomId}/events?tenantKey=${tenantKey}`

async function refused(target: Target, room: Room): Promise<Refusal> {
  const reply = await fetch(pathOf(target, room), { headers: { 'x-chat-room-token': room.roomToken } })
  const body = JSON.parse(await reply.text())
  return { status: reply.status, retryAfter: reply.headers.get('retry-after'), code: body.error?.code ?? body.code }
}

/** Fills a server with streams: the last one is accepted, the next one refused, and a freed one is available again. */
async function fillStreams(target: Target): Promise<void> {
  const [room] = await rooms(target, 1)
  assert(room)
  let receivedCount = 0
  const hear = (text: string) => {
    receivedCount += text.split('event: message.created').length - 1
  }
  const sockets = await streams(target, Array<Room>(maxStreams).fill(room), hear)
  const refusal = await refused(target, room)
  assert.equal(refusal.status, 503)
  assert.equal(refusal.code, 'TOO_MANY_STREAMS')
  assert.match(refusal.retryAfter ?? '', /^\d+$/)
  const { status } = await call(target, 'POST', `/rooms/${room.roomId}/messages/customer-text`, { text: 'to all' })
  assert.equal(status, 201)
  while (receivedCount < maxStreams) await wait(50)
  sockets.pop()?.destroy()
  // The server notices the closed connection.
  for (let isFree = false; !isFree; ) {
    const next = new AbortController()
    const headers = { 'x-chat-room-token': room.roomToken }
    const reply = await fetch(pathOf(target, room), { headers, signal: next.signal })
    isFree = reply.status === 200
    next.abort()
    if (!isFree) await wait(50)
  }
  for (const socket of sockets) socket.destroy()
  assert.equal(receivedCount, maxStreams)
}

/** Writes more events into a room than are stored. The newest are replayed, and a wider gap is reported. */
async function fillEvents(target: Target): Promise<number> {
  const [room] = await rooms(target, 1)
  assert(room)
  const total = maxEvents + 200
  const send = async (text: string) => {
    const { status } = await call(target, 'POST', `/rooms/${room.roomId}/messages/customer-text`, { text })
    assert.equal(status, 201)
  }
  const startOf = async (lastEventId: string) => {
    let received = ''
    const [socket] = await streams(
      target,
      [room],
      (text) => {
        received += text
      },
      lastEventId,
    )
    while (!/event: (resync|ready)[\s\S]*?\n\n/.test(received)) await wait(20)
    await wait(200)
    socket?.destroy()
    return received
  }
  const first = /"eventCursor":"([^"]+)"/.exec(await startOf(''))?.[1] ?? ''
  let near = ''
  for (let i = 0; i < total; i += 50) {
    if (i === total - maxReplayed + 100) near = /"eventCursor":"([^"]+)"/.exec(await startOf(''))?.[1] ?? ''
    await Promise.all(Array.from({ length: 50 }, (_, j) => send(`m-${i + j}`)))
  }
  assert.match(await startOf(first), /event: resync/)
  const replayed = (await startOf(near)).split('event: message.created').length - 1
  assert.equal(replayed, maxReplayed - 100)
  return total
}

const cpu = process.cpuUsage()
await serving(fillStreams)
process.stdout.write(`${maxStreams} streams open, the next refused, one message heard by all\n`)
const total = await serving(fillEvents)
process.stdout.write(`${total} events in a room, ${maxReplayed - 100} replayed, a wider gap told by resync\n`)
const { user, system } = process.cpuUsage(cpu)
process.stdout.write(`${((user + system) / 1e6).toFixed(0)} s of CPU time on the side of the clients\n`)
