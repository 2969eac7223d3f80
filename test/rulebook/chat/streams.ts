/** Push. Source: chat shapes, section 1.9. */

/** The events of a room's stream and of the agents', with the fields of their data that the page names. */
export const events = [
  { event: 'ready', has: ['eventCursor', 'serverTime', 'resumed', 'replayed'], hasId: true },
  { event: 'message.created', has: ['message'], hasId: true },
  { event: 'room.updated', has: ['room'], hasId: true },
  { event: 'ticket.updated', has: ['ticketId', 'ticketNumber', 'status', 'updatedAt'], hasId: true },
  { event: 'typing', has: ['senderType', 'displayName', 'typing'], hasId: false },
  { event: 'resync', has: ['reason', 'eventCursor'], hasId: true },
  { event: 'goodbye', has: ['reason', 'retryAfterMs'], hasId: false },
] as const

/** The room's summary, which every `room.updated` contains in full; the agents' has one field more. */
export const roomState = [
  ...['status', 'assignee', 'customerReadSeq', 'agentReadSeq', 'customerUnreadCount', 'lastSeq', 'updatedAt'],
] as const
export const agentsAlone = 'agentUnreadCount'

export const resyncReasons = ['epochChanged', 'tooOld', 'tooMany'] as const
/**
 * Reasons for the end of a stream in reading order; `slowConsumer` needs a reader that stops. `keyRevoked` is ours: an
 * agent's token, or a room's, that was revoked (docs/decisions.md).
 */
export const goodbyeReasons = ['shutdown', 'keyRotated', 'tokenExpired', 'keyRevoked'] as const

export const headers = {
  'content-type': /^text\/event-stream\b/,
  'cache-control': /^no-store$/,
  'x-accel-buffering': /^no$/,
} as const
export const firstBytes = 'retry: 1000\n\n'
export const cursor = /^[^.]+\.\d+$/

/** Retention of events in time and number; a wider gap gives `resync`. */
export const kept = { days: 7, replayed: 1000 } as const

/** A ticket for a native reader of events. */
export const ticket = { seconds: 30, uses: 1 } as const

/** Streams that are open at once. */
export const open = { perToken: 12, perAddress: 200 } as const
/** Rooms that all visitors of a tenant may create in a minute. */
export const roomsOfTenant = { perMinute: 600 } as const

/** Heartbeats are comments. */
export const heartbeat = { text: ': hb\n\n', seconds: 15 } as const

/** A connection with more unsent bytes than this is closed, with the reason `slowConsumer`. */
export const unsentBytes = 1_048_576

/** Maximum wait of a long poll. */
export const poll = { longestWaitMs: 25_000 } as const

/** Events kept per room; only every 100th event triggers the check (docs/decisions.md). */
export const keptPerRoom = { least: 10_000, most: 10_100 } as const
