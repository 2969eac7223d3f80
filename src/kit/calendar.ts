/** Whether a moment begins with a day that is in its month: the 31st of February is not taken for the 3rd of March. */
export function isInCalendar(text: string): boolean {
  const day = text.slice(0, 10)
  const at = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)
}
