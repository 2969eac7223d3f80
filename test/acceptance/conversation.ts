import { request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { eventReader } from '../../src/http/client/sse-parser.ts'
import { seededBytes } from '../../src/kit/ambient.ts'
import { requestJsonUntilDone, requestUntilDone } from './asking.ts'
import type { BreakingConnection, CutPoint } from './breaking-connection.ts'
import type { ChatSetup } from './chat.ts'

/** One client writes, three subscribe, and every connection to the server breaks repeatedly. */
export interface ConversationSize {
  readonly messages: number
  /** Even: each connection breaks twice in a row, so that the retry breaks too. */
  readonly cuts: number
  readonly kills: number
}

/** Numbers of lost, repeated and misplaced messages; zeros are expected. */
export interface Tally {
  readonly lost: number
  readonly doubled: number
  readonly outOfOrder: number
}

export interface ConversationOutcome {
  /** On the customer's stream. */
  readonly customer: Tally
  /** On the stream of the customer's second device, whose connection breaks only when the server is killed. */
  readonly device: Tally
  /** On the stream of an agent with access to all rooms. */
  readonly agent: Tally
  /** In the list, read afterwards. */
  readonly listed: Tally
  /** Number of times a stream could not be resumed at its cursor. */
  readonly resyncs: number
  /** Connections that broke during a transmission. */
  readonly cuts: number
  /** Number of times the server was killed while it handled a message. */
  readonly kills: number
}

/** Positions of the breaks of the writer's connection, in turn. */
const writersCuts = (chance: number): readonly CutPoint[] => [
  { of: 'request', share: 1 },
  { of: 'answer', share: chance },
  { of: 'request', share: chance },
  { of: 'request', share: 1, afterMs: 5 * chance },
  { of: 'answer', share: 0 },
]

/** States of a message at which the server is killed, in turn. */
const killedAt = (chance: number): readonly CutPoint[] => [
  { of: 'request', share: 1, afterMs: 5 * chance },
  { of: 'answer', share: 0 },
  { of: 'request', share: chance },
]

export async function conversation(size: ConversationSize, setup: ChatSetup): Promise<ConversationOutcome> {
  const { room, chat } = setup
  const connections = {
    writer: await setup.connection(),
    customer: await setup.connection(),
    agent: await setup.connection(),
  }
  const path = `/api/widget/v1/rooms/${room.roomId}/events?tenantKey=${chat.tenantKey}`
  const right = { 'x-chat-room-token': room.roomToken }
  const customer = await listen(connections.customer, path, right)
  const device = await listen(await setup.connection(), path, right)
  const agent = await listen(connections.agent, '/api/agent/v1/events', { 'x-chat-agenttoken': chat.agentToken })

  const seed = seededBytes('cuts')
  const chance = () => (seed(1)[0] ?? 0) / 256
  let cuts = 0
  const writersCut = inTurn(writersCuts)
  const killPoint = inTurn(killedAt)
  const whose = inTurn(() => ['writer', 'customer', 'writer', 'agent'] as const)
  let planned = 0
  let killing = 0
  let kills = 0
  let isBack = Promise.resolve()
  for (let i = 1; i <= size.messages; i++) {
    for (; planned < size.cuts && i >= ((planned + 2) * size.messages) / size.cuts; planned += 2) {
      const who = whose(0)
      for (let twice = 0; twice < 2; twice++)
        connections[who].breakAt(
          who === 'writer' ? writersCut(chance()) : { of: 'event', share: chance() },
          () => cuts++,
        )
    }
    for (; killing < size.kills && i >= ((killing + 1) * size.messages) / (size.kills + 1); killing++)
      connections.writer.breakAt(killPoint(chance()), () => {
        kills++
        isBack = setup.killAndServe()
      })
    await requestUntilDone(`${connections.writer.url}/api/public/v1/rooms/${room.roomId}/messages/customer-text`, {
      method: 'POST',
      headers: { 'x-chat-apikey': chat.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ text: `message ${i}`, clientMessageId: `c-${i}` }),
    })
    await isBack
  }
  const ears = [customer, device, agent]
  const isComplete = () => ears.every(({ messages }) => messages.length >= size.messages)
  for (let i = 0; i < 1_000 && !isComplete(); i++) await setTimeout(20)
  // A repeated event would arrive with the next poll of the log, which runs 20 times per second.
  await setTimeout(100)
  await Promise.all(ears.map((ear) => ear.stop()))
  return {
    customer: tally(customer.messages, size.messages),
    device: tally(device.messages, size.messages),
    agent: tally(agent.messages, size.messages),
    listed: tally(await listed(connections.writer.url, setup), size.messages),
    resyncs: ears.reduce((sum, ear) => sum + ear.resyncs, 0),
    cuts,
    kills,
  }
}

/** Returns the next item of a list that is refilled by a number from 0 to 1. */
function inTurn<T>(list: (chance: number) => readonly T[]): (chance: number) => T {
  let turn = 0
  return (chance) => {
    const all = list(chance)
    return all[turn++ % all.length] as T
  }
}

interface ReceivedMessage {
  readonly seq: number
  readonly text: string
}

interface Ear {
  readonly messages: readonly ReceivedMessage[]
  readonly resyncs: number
  stop(): Promise<void>
}

/** Reads a stream from now on, and resumes it at its cursor after each break. */
async function listen(
  connection: BreakingConnection,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Ear> {
  const messages: ReceivedMessage[] = []
  let resyncs = 0
  let lastId: string | undefined
  let isOver = false
  let hangUp = () => {}
  const read = ({ id, event, data }: { id?: string; event: string; data: string }) => {
    const { message, resumed } = JSON.parse(data)
    if (event === 'message.created') messages.push(message)
    if (event === 'ready' && lastId !== undefined && !resumed) resyncs++
    if (id !== undefined) lastId = id
  }
  const once = () =>
    new Promise<void>((resolve) => {
      const cursor = lastId === undefined ? {} : { 'last-event-id': lastId }
      const sent = request(connection.url + path, { headers: { ...headers, ...cursor }, agent: false }, (reply) => {
        reply.setEncoding('utf8')
        reply.on('data', eventReader(read))
        reply.on('error', () => {})
      })
      hangUp = () => sent.destroy()
      sent.on('error', () => {})
      sent.on('close', resolve)
      sent.end()
    })
  const listening = (async () => {
    while (!isOver) {
      await once()
      await setTimeout(5)
    }
  })()
  while (lastId === undefined) await setTimeout(5)
  return {
    messages,
    get resyncs() {
      return resyncs
    },
    async stop() {
      isOver = true
      hangUp()
      await listening
    },
  }
}

/** Returns all messages of the room, page by page. */
async function listed(url: string, { room, chat }: ChatSetup): Promise<ReceivedMessage[]> {
  const all: ReceivedMessage[] = []
  for (let page = 1; ; page++) {
    const options = { headers: { 'x-chat-apikey': chat.apiKey } }
    const { items, hasMore } = await requestJsonUntilDone(
      `${url}/api/public/v1/rooms/${room.roomId}/messages?page=${page}`,
      options,
    )
    all.push(...items)
    if (!hasMore) return all
  }
}

/** Each message contains its number, and the room gave it the same sequence number. */
function tally(received: readonly ReceivedMessage[], messages: number): Tally {
  const numbers = received.map(({ text }) => Number(/^message (\d+)$/.exec(text)?.[1]))
  const distinct = new Set(numbers)
  return {
    lost: Array.from({ length: messages }, (_, i) => i + 1).filter((number) => !distinct.has(number)).length,
    doubled: numbers.length - distinct.size,
    outOfOrder: received.filter(({ seq }, i) => seq !== numbers[i] || seq < (received[i - 1]?.seq ?? 0)).length,
  }
}
