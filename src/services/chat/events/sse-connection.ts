import type { Writable } from 'node:stream'
import { endStream } from '../../../http/server/detached-socket.ts'
import { sseEvent, sseHeartbeat } from '../../../http/server/sse.ts'
import type { CloseReason, WatchedCredential } from './broadcaster.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import { type Audience, type PushedEvent, withLinks } from './pushed-events.ts'
import type { Subscriber } from './subscriptions.ts'

/** Maximum number of unsent bytes, after which a connection is closed: a stalled reader must not use up memory. */
const maxUnsent = 1_048_576

/** Time for a slow reader to receive its pending data and the goodbye event. */
const slowEndMs = 2_000

/** Reader of a stream and its authorization. */
export interface StreamAuthorization {
  readonly audience: Audience
  /** Key of the connection limit. */
  readonly holder: string
  readonly tenantKey?: string
  readonly keyId?: string
  readonly roomId?: string
  readonly roomEpoch?: number
  readonly expiresAt?: number
}

/**
 * An open stream. Thousands are open at once and mostly idle, so all state is in the fields of this object. Closures
 * per stream would use more memory.
 */
export class Stream implements Subscriber, WatchedCredential {
  at = 0
  readonly audience: Audience
  readonly tenantKey?: string
  readonly keyId?: string
  readonly roomId?: string
  readonly roomEpoch?: number
  readonly expiresAt?: number
  #publicUrl: () => string
  #holder: string
  #address: string
  #connectionLimits: ConnectionLimits
  #stream: Writable | undefined
  #end: (() => void) | undefined
  #isOver = false

  /** Counts the stream against its limits. */
  constructor(
    { audience, holder, tenantKey, keyId, roomId, roomEpoch, expiresAt }: StreamAuthorization,
    { address, publicUrl }: { readonly address: string; publicUrl(): string },
    connectionLimits: ConnectionLimits,
  ) {
    this.audience = audience
    if (tenantKey !== undefined) this.tenantKey = tenantKey
    if (keyId !== undefined) this.keyId = keyId
    if (roomId !== undefined) this.roomId = roomId
    if (roomEpoch !== undefined) this.roomEpoch = roomEpoch
    if (expiresAt !== undefined) this.expiresAt = expiresAt
    this.#publicUrl = publicUrl
    this.#holder = holder
    this.#address = address
    this.#connectionLimits = connectionLimits
    connectionLimits.take(holder, address)
  }

  /** Writes the first events. `stream` is undefined if the reader disconnected during the start. */
  begin(stream: Writable | undefined, text: string): void {
    if (!stream) return void this.over()
    this.#stream = stream
    stream.on('close', () => this.over())
    this.#put(text)
  }

  /**
   * Sets the function that ends the subscription. It is known only after subscribing; the stream may have ended before.
   */
  endBy(end: () => void): void {
    if (this.#isOver) end()
    else this.#end = end
  }

  take(events: readonly PushedEvent[]): void {
    const publicUrl = this.#publicUrl()
    this.#put(events.map((event) => sseEvent({ ...event, data: withLinks(event.data, publicUrl) })).join(''))
  }

  beat(): void {
    this.#put(sseHeartbeat)
  }

  leave(reason: CloseReason): void {
    const stream = this.#stream
    this.over()
    if (!stream || stream.destroyed) return
    const retryAfterMs = reason === 'shutdown' ? 1_000 : 0
    const text = sseEvent({ event: 'goodbye', data: JSON.stringify({ reason, retryAfterMs }) })
    endStream(stream, text)
    // A reader that recovers gets the goodbye event. One that does not, or reads a byte at a time, is disconnected.
    if (reason === 'slowConsumer') setTimeout(() => stream.destroy(), slowEndMs).unref()
  }

  /** Ends the subscription and no longer counts the stream against its limits, once. */
  over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#end?.()
    this.#connectionLimits.leave(this.#holder, this.#address)
  }

  #put(text: string): void {
    const stream = this.#stream
    if (this.#isOver || !stream) return
    stream.write(text)
    if (stream.writableLength > maxUnsent) this.leave('slowConsumer')
  }
}
