import { momentIn } from '../../../domain/time/calendar.ts'
import { refuse } from '../api/contract.ts'

/** Maximum characters of a message. */
const longestMessage = 4_000
/** Characters of a message in a list of rooms. */
const previewLength = 120

/** Parses a time in a field. Throws INVALID_PARAMETER for a day that does not exist, which the schema accepts. */
export function momentOf(field: string, text: string): number {
  const at = momentIn(text)
  if (at === undefined) throw wrong(field, 'is not an existing time')
  return at
}

/**
 * Normalizes the text of a message: trims it, unifies line ends, replaces unpaired surrogates. Throws INVALID_PARAMETER
 * when it is empty, too long, or contains NUL.
 */
export function messageText(sent: string, field = 'text'): string {
  const text = sent.replaceAll('\r\n', '\n').toWellFormed().trim()
  if (text === '') throw wrong(field, 'must not be empty')
  if (text.includes('\0')) throw wrong(field, 'must not contain a NUL character')
  if (text.length > longestMessage && [...text].length > longestMessage)
    throw wrong(field, `must be at most ${longestMessage} characters long`)
  return text
}

/** Returns a language tag with the hyphens of BCP 47 instead of the underscores of system locales. */
export function languageTag(text: string): string {
  return text.replaceAll('_', '-')
}

export function previewOf(text: string): string {
  return [...text.slice(0, previewLength * 2)].slice(0, previewLength).join('')
}

/** Returns an INVALID_PARAMETER problem with one field. */
export function wrong(field: string, reason: string) {
  const message = `${field} ${reason}`
  return refuse('INVALID_PARAMETER', message, { details: [{ field, code: 'malformed', message }] })
}
