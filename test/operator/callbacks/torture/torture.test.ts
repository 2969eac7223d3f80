import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as work } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { sendAndDisconnect } from '../../../../src/http/client/send-and-disconnect.ts'
import { openForwarder } from '../../../../src/operator/callbacks/forward.ts'
import { inWords, minRounds, type Sequence } from '../../../../src/operator/callbacks/torture/sequence.ts'
import { shrink } from '../../../../src/operator/callbacks/torture/shrink.ts'
import { type Target, torture } from '../../../../src/operator/callbacks/torture/torture.ts'

interface Callback {
  readonly payment: string
  readonly status: 'waiting' | 'confirming' | 'finished'
}

/** State of a handler: its credits, and its own notes. */
interface State {
  readonly credits: Map<string, number>
  readonly seen: Set<string>
  readonly statuses: Map<string, string>
  recent: string[]
}

type Handler = (state: State, callback: Callback, response: ServerResponse) => unknown

const keyOf = ({ payment, status }: Callback) => `${payment}/${status}`
const credit = ({ credits }: State, { payment }: Callback) => credits.set(payment, (credits.get(payment) ?? 0) + 1)
/**
 * A query of the handler's database, in steps: after one timer of 20 ms a busy process may not have read yet what the other connection
 * has sent.
 */
async function query(): Promise<void> {
  for (let step = 0; step < 10; step++) await work(2)
}

const handlers = {
  correct(state, callback) {
    if (callback.status !== 'finished' || state.seen.has(callback.payment)) return
    state.seen.add(callback.payment)
    credit(state, callback)
  },
  'not idempotent'(state, callback) {
    if (callback.status === 'finished') credit(state, callback)
  },
  'order dependent'(state, callback) {
    const before = state.statuses.get(callback.payment)
    state.statuses.set(callback.payment, callback.status)
    if (callback.status === 'finished' && before === 'confirming') credit(state, callback)
  },
  async 'lost answer'(state, callback, response) {
    if (state.seen.has(keyOf(callback))) return
    response.once('finish', () => state.seen.add(keyOf(callback)))
    if (callback.status === 'finished') credit(state, callback)
    await query()
  },
  async race(state, callback) {
    if (state.seen.has(keyOf(callback))) return
    await query()
    if (callback.status === 'finished') credit(state, callback)
    state.seen.add(keyOf(callback))
  },
  late(state, callback) {
    if (state.recent.includes(keyOf(callback))) return
    state.recent = [keyOf(callback), ...state.recent].slice(0, 2)
    if (callback.status === 'finished') credit(state, callback)
  },
} satisfies Record<string, Handler>

const callbacks: readonly Callback[] = ['a', 'b'].flatMap((payment) =>
  (['waiting', 'confirming', 'finished'] as const).map((status) => ({ payment, status })),
)

async function targetOf(handle: Handler): Promise<Target> {
  let state: State
  const reset = async () => {
    state = { credits: new Map(), seen: new Set(), statuses: new Map(), recent: [] }
  }
  await reset()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    await handle(state, JSON.parse(Buffer.concat(chunks).toString()), response)
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ipn`
  const forwarder = openForwarder(to)
  onTestFinished(async () => {
    await forwarder.close()
    server.close()
  })
  const bodyOf = (index: number) => Buffer.from(JSON.stringify(callbacks[index]))
  return {
    reset,
    probe: async () => JSON.stringify([...state.credits].sort()),
    send: async (index) => (await forwarder.send({ headers: [], body: bodyOf(index) })).error === null,
    lose: (index) => sendAndDisconnect(to, { headers: {}, body: bodyOf(index) }),
  }
}

async function verdictOn(name: keyof typeof handlers) {
  const target = await targetOf(handlers[name])
  const options = { callbacks: callbacks.length, seed: '7', rounds: minRounds + 3, stop: new AbortController().signal }
  return torture(target, options)
}

test('a correct handler passes every round', async () => {
  expect(await verdictOn('correct')).toMatchObject({ status: 'passed' })
})

test.each([
  ['not idempotent', 2, ['send', 'send']],
  ['order dependent', 2, ['send', 'send']],
  ['lost answer', 1, ['lost']],
  ['race', 1, ['together']],
  ['late', 4, ['send', 'send', 'send', 'send']],
] as const)('a handler with the bug "%s" is broken by a sequence of %i', async (name, length, kinds) => {
  const verdict = await verdictOn(name)
  if (verdict.status !== 'broken') throw new Error(`${name}: ${verdict.status}`)
  const { sequence, expected, actual } = verdict.breakage
  expect(sequence).toHaveLength(length)
  expect(sequence.map(({ how }) => how)).toEqual(kinds)
  expect(actual).not.toBe(expected)
})

test('a probe with a different output each time proves nothing about a handler', async () => {
  const target = await targetOf(handlers.correct)
  let count = 0
  const options = { callbacks: 2, seed: '7', rounds: 3, stop: new AbortController().signal }
  expect(await torture({ ...target, probe: async () => String(count++) }, options)).toMatchObject({
    status: 'inconclusive',
  })
})

test('a handler that accepts nothing gets no verdict', async () => {
  const target = await targetOf(handlers.correct)
  const options = { callbacks: 2, seed: '7', rounds: 3, stop: new AbortController().signal }
  expect(await torture({ ...target, send: async () => false }, options)).toMatchObject({ status: 'inconclusive' })
})

test('shrinking keeps the necessary steps, in their simplest form', async () => {
  const step = (how: 'send' | 'lost' | 'together', ...of: number[]) => ({ how, callbacks: of })
  const long: Sequence = [step('send', 0), step('lost', 3), step('send', 1), step('together', 2, 2), step('send', 4)]
  const breaks = async (sequence: Sequence) => {
    const order = sequence.flatMap(({ callbacks: of }) => of)
    return order.includes(3) && order.includes(2) && order.indexOf(3) < order.indexOf(2)
  }
  expect(await shrink(long, breaks)).toEqual([step('send', 3), step('send', 2)])
})

test('a sequence in words', () => {
  const sequence: Sequence = [
    { how: 'send', callbacks: [0] },
    { how: 'together', callbacks: [1, 1] },
    { how: 'lost', callbacks: [2] },
    { how: 'send', callbacks: [0] },
  ]
  expect(inWords(sequence, (index) => `#${index}`)).toEqual([
    'Send #0',
    'Send #1 twice at the same time',
    'Send #2, and close the connection before the answer, so that it is sent again',
    'Send #0 again',
  ])
})
