import type { Context } from '../context.ts'
import { now } from './ambient.ts'
import type { CurrentRoom } from './current-room.ts'

/** Error of a refused or failed request. */
export type Failure = Error & {
  code?: string
  status?: number
  details?: { receivedBytes: number }[]
  retryMs?: number
}
// biome-ignore lint/suspicious/noExplicitAny: responses of our own server, as its contract has them
export type Answer = any

interface CallOptions {
  /** True to return the response instead of its body. */
  readonly raw?: boolean
  readonly signal?: AbortSignal
  readonly headers?: Record<string, string>
}

/** Client of the widget API. Every request has the room's token, if there is one. */
export class Api {
  readonly #ctx: Context
  readonly #room: CurrentRoom
  #skewMs = 0
  /** Called when the server no longer accepts the token. */
  onTokenRefused = (_token: string | undefined) => {}

  constructor(ctx: Context, room: CurrentRoom) {
    this.#ctx = ctx
    this.#room = room
  }

  /** Returns the server's time, by the difference to this clock in the last response. */
  now(): number {
    return now() + this.#skewMs
  }

  inRoom(method: string, path: string, body?: object, options?: CallOptions): Promise<Answer> {
    return this.call(method, `/rooms/${this.#room.id}${path}`, body, options)
  }

  async call(method: string, path: string, body?: object, options?: CallOptions): Promise<Answer> {
    const url = new URL(`${this.#ctx.base}/api/widget/v1${path}`)
    url.searchParams.set('tenantKey', this.#ctx.key)
    const isBytes = body instanceof Blob
    const { token } = this.#room
    const response = await fetch(url, {
      method,
      credentials: 'omit',
      headers: {
        ...(token ? { 'X-Chat-Room-Token': token } : {}),
        ...(body ? { 'Content-Type': isBytes ? 'application/octet-stream' : 'application/json' } : {}),
        ...options?.headers,
      },
      ...(body ? { body: isBytes ? body : JSON.stringify(body) } : {}),
      ...(options?.signal ? { signal: options.signal } : {}),
    })
    this.#skewMs = Date.parse(response.headers.get('x-countroom-time') || '') - now() || 0
    if (response.ok) return options?.raw ? response : response.json()
    const { error } = await response.json().catch(() => ({}))
    const code = error?.code || ''
    if (code === 'INVALID_TENANT_KEY' || code === 'ORIGIN_NOT_ALLOWED') this.#ctx.removeWidget()
    if (code === 'INVALID_ROOM_TOKEN') this.onTokenRefused(token)
    throw Object.assign(new Error(code), {
      code,
      status: response.status,
      details: error?.details,
      retryMs: Number(response.headers.get('retry-after')) * 1000,
    })
  }
}
