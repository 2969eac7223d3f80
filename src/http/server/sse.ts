/** Writes server-sent events (text/event-stream). */

export interface SseEvent {
  /** Position from which a client that has this event resumes; absent for events that cannot be resumed from. */
  readonly id?: string | undefined
  readonly event: string
  /** JSON, which contains no line break, so one data line is enough. */
  readonly data: string
}

/** The headers of a stream's response. */
export const sseHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // A proxy that buffers responses would hold the events back.
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

export function sseEvent({ id, event, data }: SseEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`
}

/** Returns the field that sets the client's delay before it reconnects. */
export function sseRetry(ms: number): string {
  return `retry: ${ms}\n\n`
}

/** A heartbeat. Clients ignore it, and proxies see that the connection is in use. */
export const sseHeartbeat = ': hb\n\n'
