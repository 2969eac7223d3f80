import type { OutgoingProxy } from '../../http/client/agent/proxy.ts'
import { type StreamEnd, streamOverHttp } from '../../http/client/sse-client.ts'
import { type OpenTransport, overHttp } from '../../http/client/transport.ts'
import { Problem } from '../../kit/problem.ts'
import type { DeskAccess } from '../config/profile-schema.ts'
import type { RequestSummary } from '../requests/record.ts'
import type { RequestDetail } from '../requests/recorded-requests.ts'

/** Filters as query parameters. */
export type DeskQuery = Readonly<Record<string, string | undefined>>

/** Client of the interface that a served world has for commands of this machine. */
export interface DeskClient {
  list(query: DeskQuery): Promise<RequestSummary[]>
  show(id: string): Promise<RequestDetail>
  /** Passes on each matching request when it ends, until the signal is aborted or the world closes. */
  follow(query: DeskQuery, take: (request: RequestSummary) => void, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Opens the client. Nothing is sent before its first use. */
export function openDesk({ baseUrl, token }: DeskAccess, proxy: OutgoingProxy | undefined): DeskClient {
  const transport: OpenTransport = overHttp(baseUrl, { proxy })
  const headers = { authorization: `Bearer ${token}` }
  const get = async (path: string) => {
    const { status, body } = await transport({ method: 'GET', path, headers })
    if (status === 200) return JSON.parse(body)
    throw refusal(status, body)
  }
  return {
    list: async (query) => (await get(`/desk/api/requests${queryText(query)}`)).requests,
    show: (id) => get(`/desk/api/requests/${encodeURIComponent(id)}`),
    follow: async (query, take, signal) => {
      const path = `/desk/api/requests/stream${queryText(query)}`
      const end = await streamOverHttp(baseUrl, { path, headers, signal }, ({ data }) => take(JSON.parse(data)), {
        proxy,
      })
      refuseUnopened(end)
    },
    close: () => transport.close(),
  }
}

function refuseUnopened(end: StreamEnd): void {
  if (end.end === 'refused') throw refusal(end.reply.status, end.reply.body)
}

function queryText(query: DeskQuery): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) pairs.set(name, value)
  return pairs.size === 0 ? '' : `?${pairs}`
}

function refusal(status: number, body: string): Problem {
  const { code, message } = readRefusal(body)
  if (code !== undefined) return new Problem(code, message)
  if (status === 401)
    return new Problem(
      'UNAUTHORIZED',
      'The served world was restarted and has another token. Add the profile again from its ready file: countroom help profiles add',
    )
  return new Problem(
    'CONFLICT',
    `The served world records no requests (${status}). To record them, start it with: countroom serve --record-requests`,
  )
}

function readRefusal(body: string): { code?: string; message: string } {
  try {
    const read = JSON.parse(body)
    return { ...(typeof read.code === 'string' ? { code: read.code } : {}), message: String(read.message) }
  } catch {
    return { message: '' }
  }
}
