import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import type { WireReply } from '../../../src/http/client/transport.ts'
import type { NewKey } from '../../../src/services/casino/admin/index.ts'
import type { TestWorld } from '../worlds/world.ts'
import { prefix, type RawRequest, signedHeaders } from './raw.ts'

/** Sends a request that is signed as the document describes over a socket, with its path exactly as written. */
export async function sendOverHttp(
  baseUrl: string,
  world: TestWorld,
  key: NewKey,
  request: RawRequest & { readonly chunked?: boolean } = {},
): Promise<WireReply> {
  const { method = 'GET', url = `${prefix}/tables`, body } = request
  const headers = signedHeaders(world, key, request)
  const length = body === undefined || request.chunked ? {} : { 'content-length': Buffer.byteLength(body) }
  return exchange(baseUrl, { method, path: url, headers: { ...headers, ...length }, body })
}

/** Sends one request on a connection of its own and returns the response. */
export function exchange(
  baseUrl: string,
  sent: {
    method: string
    path: string
    headers?: Record<string, string | number | string[]>
    body?: string | Uint8Array | undefined
  },
): Promise<WireReply> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const { method, path, headers = {} } = sent
    const host = hostname.replace(/^\[|\]$/g, '')
    const outgoing = httpRequest({ host, port, method, path, headers, agent: false }, (incoming) => {
      let body = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (text) => {
        body += text
      })
      incoming.on('end', () => {
        const texts = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
        resolve({ status: incoming.statusCode ?? 0, headers: Object.fromEntries(texts), body })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(sent.body)
  })
}

/** Writes bytes to a socket unchanged, and returns all received bytes after the other side closes it. */
export function sendBytes(baseUrl: string, text: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (part) => {
      answer += part
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}
