import type { WireReply } from './remote.ts'

/** How far this machine's clock is ahead of the platform's, in seconds; nothing where the answer has no date. */
export function skewOf({ headers }: Pick<WireReply, 'headers'>, sentAt: number, backAt: number): number | undefined {
  const theirs = Date.parse(headers['date'] ?? '')
  // The header is cut to the second, so the middle of that second is the best guess.
  return Number.isNaN(theirs) ? undefined : Math.round(((sentAt + backAt) / 2 - (theirs + 500)) / 1000)
}
