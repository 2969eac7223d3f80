import type { WireReply } from './wire-types.ts'

/** Response header with the served world's time, in ISO 8601 and UTC. Only a countroom world sends it. */
export const timeHeader = 'x-countroom-time'

/** Returns the header with a time. */
export function timeHeaders(at: number): Readonly<Record<string, string>> {
  return { [timeHeader]: new Date(at).toISOString() }
}

type Headed = Pick<WireReply, 'headers'>

/**
 * Returns the lead of the platform's time over this machine's in milliseconds; `undefined` if the response has none.
 * The platform's time is the header above, else `Date`.
 */
export function aheadBy(reply: Headed, sentAt: number, receivedAt: number): number | undefined {
  return worldAheadBy(reply, sentAt, receivedAt) ?? dateAheadBy(reply, sentAt, receivedAt)
}

/** Same, by the served world's own header only. */
export function worldAheadBy({ headers }: Headed, sentAt: number, receivedAt: number): number | undefined {
  const platformMs = Date.parse(headers[timeHeader] ?? '')
  return Number.isNaN(platformMs) ? undefined : Math.round(platformMs - (sentAt + receivedAt) / 2)
}

/** Same, by `Date` only, which is the remote machine's clock: signatures are checked against that one. */
export function dateAheadBy({ headers }: Headed, sentAt: number, receivedAt: number): number | undefined {
  const platformMs = Date.parse(headers['date'] ?? '')
  // Date has whole seconds, so the middle of that second is the best estimate.
  return Number.isNaN(platformMs) ? undefined : Math.round(platformMs + 500 - (sentAt + receivedAt) / 2)
}
