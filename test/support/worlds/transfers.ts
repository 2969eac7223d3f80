import { onTestFinished } from 'vitest'
import { createClient } from '../../../src/http/client/client.ts'
import { tenantSigner } from '../../../src/http/client/signers.ts'
import { inProcess, type Sign, signed, type Transport, type WireReply } from '../../../src/http/client/transport.ts'
import { realAmbient } from '../../../src/kit/ambient.ts'
import { Problem } from '../../../src/kit/problem.ts'
import { type Book, openBook } from '../../../src/operator/book/book.ts'
import type { TransferContext } from '../../../src/operator/transfers/transfer.ts'
import { casino as casinoContract } from '../../../src/services/casino/api/contract.ts'
import { credentialsOf, ensureDemo } from '../../../src/world/demo-data.ts'
import { openWorld } from '../../../src/world/world.ts'
import type { HandClock } from './world.ts'

/** Faults of one request, before or after it is processed. */
export const faults = [
  'none',
  /** Never sent. */
  'unreachable',
  /** Sent, and lost before it arrived. */
  'lost-before',
  /** Processed, and the response lost. */
  'lost-after',
  'timeout-before',
  'timeout-after',
  /** A proxy in between responds with its own page. */
  'html-502-before',
  'html-502-after',
  /** The platform's own 500, after none or all of the work. */
  'error-500-before',
  'error-500-after',
  'rate-limited',
  /** A success whose body was cut off. */
  'cut-200-after',
  /** The platform's own success, with an unknown value in it. */
  'odd-200-after',
  'html-200-before',
  'html-403-before',
  'unauthorized',
] as const
export type Fault = (typeof faults)[number]

/** Faults after which the platform may have processed the request, from the sender's view. */
export const leavesOpen: Readonly<Record<Fault, boolean>> = {
  none: false,
  unreachable: false,
  'lost-before': true,
  'lost-after': true,
  'timeout-before': true,
  'timeout-after': true,
  'html-502-before': true,
  'html-502-after': true,
  'error-500-before': true,
  'error-500-after': true,
  'rate-limited': false,
  'cut-200-after': true,
  'odd-200-after': true,
  'html-200-before': true,
  'html-403-before': true,
  unauthorized: false,
}

const html = (status: number): WireReply => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html>no</html>',
})
const refusal = (status: number, code: string): WireReply => ({
  status,
  headers: {},
  body: JSON.stringify({ ok: false, error: { code, message: code } }),
})

/** Applies a fault to one request. */
async function through(fault: Fault, go: () => Promise<WireReply>): Promise<WireReply> {
  if (fault.endsWith('-after')) await go()
  switch (fault) {
    case 'none':
      return go()
    case 'unreachable':
      throw new Problem('REMOTE_UNREACHABLE', 'it cannot be reached', { outcome: 'none' })
    case 'lost-before':
    case 'lost-after':
      throw new Problem('REMOTE_LOST', 'the connection was lost', { outcome: 'unknown' })
    case 'timeout-before':
    case 'timeout-after':
      throw new Problem('REMOTE_TIMEOUT', 'no answer in time', { outcome: 'unknown' })
    case 'html-502-before':
    case 'html-502-after':
      return html(502)
    case 'error-500-before':
    case 'error-500-after':
      return refusal(500, 'INTERNAL_ERROR')
    case 'rate-limited':
      return refusal(429, 'RATE_LIMITED')
    case 'cut-200-after':
      return { status: 200, headers: {}, body: '{"ok":true,"data":{"txnId":' }
    case 'odd-200-after':
      return { status: 200, headers: {}, body: '{"ok":true,"data":{"done":"yes"}}' }
    case 'html-200-before':
      return html(200)
    case 'html-403-before':
      return html(403)
    case 'unauthorized':
      return refusal(401, 'UNAUTHORIZED')
  }
}

/** A casino with its demo world, a book, and a transport between them with injected faults. */
export async function anOperator(options: { book?: string; time?: HandClock } = {}) {
  const { now } = options.time ?? realAmbient()
  const world = await openWorld({ db: ':memory:', rateLimits: false, machineNow: now })
  onTestFinished(() => world.close())
  await ensureDemo(world.casino)
  const keys = await credentialsOf(world.casino, 'DEMO')
  if (!keys) throw new Error('the demo tenant has no keys')
  const book = await openBook(options.book ?? ':memory:')
  onTestFinished(() => book.close())
  return operatorOn(inProcess(world.server), tenantSigner({ ...keys.live, ...realAmbient(), now }), book)
}

/** The transfer operator, the requests sent through it, and a client without faults. */
function operatorOn(bare: Transport, sign: Sign, book: Book) {
  const script: Fault[] = []
  const sent: { path: string; body: string | undefined; nonce: string | undefined; fault: Fault }[] = []
  const waits: number[] = []
  let onSend: (path: string) => void | Promise<void> = () => {}
  const disturbed: Transport = async (request) => {
    const fault = script.shift() ?? 'none'
    const body = typeof request.body === 'string' ? request.body : undefined
    sent.push({ path: request.path.replace(/\?.*/, ''), body, nonce: request.headers['x-nonce'], fault })
    await onSend(request.path)
    return through(fault, () => bare(request))
  }
  const operator: TransferContext = {
    book,
    transport: signed(disturbed, sign),
    retryOptions: {
      sleep: async (ms) => {
        waits.push(ms)
      },
      random: () => 0,
      now: () => 0,
    },
    platformNow: () => 0,
  }
  const casino = createClient(casinoContract, signed(bare, sign))
  return {
    operator,
    book,
    casino,
    sent,
    waits,
    /** Outcomes of the next requests, one after another; later requests succeed. */
    disturb: (...next: Fault[]) => {
      script.length = 0
      script.push(...next)
    },
    beforeSending: (work: (path: string) => void | Promise<void>) => {
      onSend = work
    },
    balanceOf: async (username: string) => (await casino.balance({ query: { username } })).balance,
  }
}
