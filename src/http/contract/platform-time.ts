import type { WireReply } from './wire-types.ts'

/** The response header with the served world's time, in ISO 8601 and UTC. Only a countroom world sends it. */
export const timeHeader = 'x-countroom-time'

/** The header with a time in it. */
export function timeHeaders(at: number): Readonly<Record<string, string>> {
  return { [timeHeader]: new Date(at).toISOString() }
}

type Headed = Pick<WireReply, 'headers'>

/**
 * How far the platform's time is ahead of this machine's, in milliseconds; `undefined` where the response bears none. The
 * platform's time is that of the header above, else the `Date`.
 */
export function aheadBy(reply: Headed, sentAt: number, receivedAt: number): number | undefined {
  return worldAheadBy(reply, sentAt, receivedAt) ?? dateAheadBy(reply, sentAt, receivedAt)
}

/** The same by the served world's own header alone. */
export function worldAheadBy({ headers }: Headed, sentAt: number, receivedAt: number): number | undefined {
  const theirs = Date.parse(headers[timeHeader] ?? '')
  return Number.isNaN(theirs) ? undefined : Math.round(theirs - (sentAt + receivedAt) / 2)
}

/** The same by the `Date` alone, which is the machine's at the other end: signatures are held against that one. */
export function dateAheadBy({ headers }: Headed, sentAt: number, receivedAt: number): number | undefined {
  const theirs = Date.parse(headers['date'] ?? '')
  // The header is cut to the second, so the middle of that second is the best estimate.
  return Number.isNaN(theirs) ? undefined : Math.round(theirs + 500 - (sentAt + receivedAt) / 2)
}
