import { momentIn } from '../../../domain/time/calendar.ts'
import { refuse } from '../api/contract.ts'

/** Characters of a message at most. */
const longestMessage = 4_000
/** Characters of a message that a list of rooms shows. */
const previewLength = 120

/** A moment a field names, as epoch milliseconds; the form alone lets days pass that no month has. */
export function momentOf(field: string, text: string): number {
  const at = momentIn(text)
  if (at === undefined) throw wrong(field, 'is no moment there is')
  return at
}

/**
 * The text of a message as it is kept: ends trimmed, lines ended alike, halves of characters replaced; otherwise byte
 * for byte. INVALID_PARAMETER when nothing is left, when it is too long, or when it holds a NUL.
 */
export function messageText(sent: string, field = 'text'): string {
  const text = sent.replaceAll('\r\n', '\n').toWellFormed().trim()
  if (text === '') throw wrong(field, 'is empty')
  if (text.includes('\0')) throw wrong(field, 'holds a NUL character')
  if (text.length > longestMessage && [...text].length > longestMessage)
    throw wrong(field, `is longer than ${longestMessage} characters`)
  return text
}

/** Returns a language tag with the hyphens of BCP 47, where a system's locale has underscores. */
export function languageTag(text: string): string {
  return text.replaceAll('_', '-')
}

export function previewOf(text: string): string {
  return [...text.slice(0, previewLength * 2)].slice(0, previewLength).join('')
}

/** INVALID_PARAMETER about one field. */
export function wrong(field: string, reason: string) {
  const message = `${field} ${reason}`
  return refuse('INVALID_PARAMETER', message, { details: [{ field, code: 'malformed', message }] })
}
