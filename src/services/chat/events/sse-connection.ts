import type { Writable } from 'node:stream'
import { endLine } from '../../../http/server/detached-socket.ts'
import { sseEvent, sseHeartbeat } from '../../../http/server/sse.ts'
import type { Goodbye, Guard } from './broadcaster.ts'
import type { Seats } from './connection-limits.ts'
import { type Audience, type Frame, withLinks } from './sse-frames.ts'
import type { Listener } from './subscriptions.ts'

/** How much may wait unsent for one reader before it is cut: a reader that has stopped must not hold our memory. */
const mostUnsent = 1_048_576

/** How long a reader that was too slow has for what waits and the goodbye behind it. */
const slowEndMs = 2_000

/** Who reads a stream, and by what right. */
export interface Right {
  readonly audience: Audience
  /** Of whom no more than so many streams may be open. */
  readonly holder: string
  readonly tenantKey?: string
  readonly keyId?: string
  readonly roomId?: string
  readonly roomEpoch?: number
  readonly expiresAt?: number
}

/**
 * One open stream. Thousands are open at once and have nothing to say, so this is all there is of one: its fields, its
 * line, and its places among those who listen. Functions made for each would weigh more than both.
 */
export class Stream implements Listener, Guard {
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
  #seats: Seats
  #line: Writable | undefined
  #end: (() => void) | undefined
  #isOver = false

  /** Takes its seat. */
  constructor(
    { audience, holder, tenantKey, keyId, roomId, roomEpoch, expiresAt }: Right,
    { address, publicUrl }: { readonly address: string; publicUrl(): string },
    seats: Seats,
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
    this.#seats = seats
    seats.take(holder, address)
  }

  /** Says its first words. Without a line the reader has gone while we looked where it begins. */
  begin(line: Writable | undefined, text: string): void {
    if (!line) return void this.over()
    this.#line = line
    line.on('close', () => this.over())
    this.#put(text)
  }

  /** What takes it out of the listeners is known only once it is among them, and it may be over by then. */
  endBy(end: () => void): void {
    if (this.#isOver) end()
    else this.#end = end
  }

  take(frames: readonly Frame[]): void {
    const publicUrl = this.#publicUrl()
    this.#put(frames.map((frame) => sseEvent({ ...frame, data: withLinks(frame.data, publicUrl) })).join(''))
  }

  beat(): void {
    this.#put(sseHeartbeat)
  }

  leave(reason: Goodbye): void {
    const line = this.#line
    this.over()
    if (!line || line.destroyed) return
    const retryAfterMs = reason === 'shutdown' ? 1_000 : 0
    const text = sseEvent({ event: 'goodbye', data: JSON.stringify({ reason, retryAfterMs }) })
    endLine(line, text)
    // One that reads again is told; one that does not, or a byte at a time, holds our memory no longer than this.
    if (reason === 'slowConsumer') setTimeout(() => line.destroy(), slowEndMs).unref()
  }

  /** Gives up its seat and its place among the listeners, once. */
  over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#end?.()
    this.#seats.leave(this.#holder, this.#address)
  }

  #put(text: string): void {
    const line = this.#line
    if (this.#isOver || !line) return
    line.write(text)
    if (line.writableLength > mostUnsent) this.leave('slowConsumer')
  }
}
