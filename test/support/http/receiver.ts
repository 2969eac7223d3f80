import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { holdWebhook } from './published-responses.ts'

/** One message as a receiver got it. */
export interface Got {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly raw: Buffer
  /** The body parsed as JSON. */
  readonly body: Envelope
}

/** Headers of every webhook. */
export interface Envelope {
  readonly id: string
  readonly event: string
  readonly companyCode: string
  readonly createdAt: string
  // biome-ignore lint/suspicious/noExplicitAny: each test expects another body.
  readonly data: any
}

export interface Receiver {
  readonly url: string
  readonly got: readonly Got[]
  /** Resolves after that many messages. */
  waitFor(count: number): Promise<void>
  close(): Promise<void>
}

/** A plain HTTP server on loopback that records the requests it gets. It is closed at the end of the test. */
export async function aReceiver(answer: (got: Got, response: ServerResponse) => void = ok): Promise<Receiver> {
  const got: Got[] = []
  let wake = () => {}
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks)
      const { method = '', url = '', headers } = request
      const message = { method, path: url, headers, raw, body: JSON.parse(raw.toString()) }
      holdWebhook(headers, message.body)
      got.push(message)
      wake()
      answer(message, response)
    })
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=1`,
    got,
    async waitFor(count) {
      while (got.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    close,
  }
}

export const ok = (_got: Got, response: ServerResponse): void => void response.writeHead(204).end()
export const status =
  (code: number, headers: Record<string, string> = {}) =>
  (_got: Got, response: ServerResponse): void =>
    void response.writeHead(code, headers).end('no')
