import type { WireReply } from './remote.ts'

/** The response header with the served world's time, in ISO 8601 and UTC. Only a countroom world sends it. */
export const timeHeader = 'x-countroom-time'

/** The header with a time in it. */
export function timeHeaders(at: number): Readonly<Record<string, string>> {
  return { [timeHeader]: new Date(at).toISOString() }
}

/**
 * How far the platform's time is ahead of this machine's, in milliseconds; `undefined` where the response bears none. The
 * platform's time is that of the header above, else the `Date`.
 */
export function aheadBy({ headers }: Pick<WireReply, 'headers'>, sentAt: number, receivedAt: number): number | undefined {
  const middle = (sentAt + receivedAt) / 2
  const world = Date.parse(headers[timeHeader] ?? '')
  if (!Number.isNaN(world)) return Math.round(world - middle)
  const date = Date.parse(headers['date'] ?? '')
  // The header is cut to the second, so the middle of that second is the best estimate.
  return Number.isNaN(date) ? undefined : Math.round(date + 500 - middle)
}
