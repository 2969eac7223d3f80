/** A moment as the APIs and JSON output write it: UTC, ISO 8601, milliseconds. */
export function momentText(at: number): string {
  return new Date(at).toISOString()
}

/** The text of a moment, or null where there is none. */
export function maybeMoment(at: number | null): string | null {
  return at === null || Number.isNaN(at) ? null : momentText(at)
}

/** Formats a moment, or the text of one, for people, to the minute: `2026-03-01 12:00 UTC`. */
export const minuteText = (at: number | string): string => readable(at, 16)

/** Formats a moment for people, to the second. */
export const secondText = (at: number | string): string => readable(at, 19)

function readable(at: number | string, length: number): string {
  const iso = typeof at === 'string' ? at : momentText(at)
  return `${iso.slice(0, length).replace('T', ' ')} UTC`
}
