/** Separators between the messages of different days. */

/** Returns the day of a moment in this language: `today`, `yesterday` or `Tuesday, 3 March`. */
export function dayText(locale: string, at: Date, now: Date): string {
  const days = Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / 864e5)
  if (days === 0 || days === 1) return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-days, 'day')
  const year = at.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const)
  return at.toLocaleDateString(locale, { weekday: 'long', day: 'numeric', month: 'long', ...year })
}
