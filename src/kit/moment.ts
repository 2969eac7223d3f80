/** A moment as the APIs and JSON output write it: UTC, ISO 8601, milliseconds. */
export function momentText(at: number): string {
  return new Date(at).toISOString()
}

/** The text of a moment, or null where there is none. */
export function maybeMoment(at: number | null): string | null {
  return at === null || Number.isNaN(at) ? null : momentText(at)
}
