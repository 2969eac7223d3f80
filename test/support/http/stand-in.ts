import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { aHome, type Home, run } from '../program/cli.ts'

/** Response of a stand-in for the platform to a path: data, a refusal, or any response with its own headers. */
export interface RecordedRequest {
  readonly data?: unknown
  readonly error?: { readonly code: string; readonly message: string }
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly text?: string
}

/** Path prefixes of the three services. */
const prefix = /^(\/api\/tenant\/v1|\/api\/v1|\/api\/public\/v1)/

/**
 * Creates a home whose profile `remote` reaches a stand-in for the platform, for responses that the real platform
 * rarely sends. Paths that are not listed respond with 404.
 */
export async function standIn(
  paths: Readonly<
    Record<
      string,
      (request: { url: string; headers: Readonly<Record<string, string | string[] | undefined>> }) => RecordedRequest
    >
  >,
  options: { services?: readonly ('gateway' | 'chat')[] } = {},
): Promise<Home> {
  const server = createServer((request, reply) => {
    const path = (request.url ?? '').replace(/\?.*/, '').replace(prefix, '')
    const response = paths[path]?.({ url: request.url ?? '', headers: request.headers }) ?? {
      status: 404,
      text: '<html>nothing here</html>',
    }
    const { status = response.error ? 400 : 200, headers = {} } = response
    const body =
      response.text ??
      JSON.stringify(response.error ? { ok: false, error: response.error } : { ok: true, data: response.data })
    reply.writeHead(status, {
      'content-type': response.text === undefined ? 'application/json' : 'text/html',
      ...headers,
    })
    reply.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const home = aHome()
  const document = {
    baseUrl,
    sandboxBaseUrl: baseUrl,
    casino: { companyCode: 'DEMO', timezone: 'UTC', sandbox: { apiKey: 'ek_s_standin0000', secret: 'standin-secret' } },
    ...(options.services?.includes('gateway') ? { gateway: { sandbox: { apiKey: 'gateway-key' } } } : {}),
    ...(options.services?.includes('chat') ? { chat: { apiKey: 'chat-key' } } : {}),
  }
  const file = home.write('keys.json', JSON.stringify(document))
  const added = await run(['profiles', 'add', 'remote', '--from', file], { home })
  if (added.code !== 0) throw new Error(added.stderr)
  return { ...home, env: { ...home.env, COUNTROOM_PROFILE: 'remote' } }
}
