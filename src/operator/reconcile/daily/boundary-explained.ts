import type { Investigation } from './investigate.ts'
import type { DayResult, ExplanationCode } from './schema.ts'

/** The investigation about a day whose figures are those of the platform by another rule. */

/** Explanations that say the same with another day rule: newer records, and numbers that are missing in the book. */
const ofTheBook: ReadonlySet<ExplanationCode> = new Set([
  'BOOK_STALE',
  'NUMBERS_MISSING',
  'NUMBERS_REPEATED',
  'ROWS_DELETED',
])

/**
 * Returns the investigation with the other rules. If one of them gives every figure of the platform, it alone explains
 * the day. Differences between records and summary by the used rule are then its consequence. If the platform's records
 * add up to its summary by the used rule, that is the platform's rule, and the book is wrong.
 */
export function explainedByBoundary(
  boundary: DayResult['boundary'],
  investigation: Investigation,
): Investigation & Pick<DayResult, 'boundary'> {
  if (!hasMatch(boundary)) return { ...investigation, boundary }
  if (investigation.explanations.some(({ code }) => code === 'BOOK_WRONG')) return { ...investigation, boundary: null }
  const explanations = investigation.explanations.filter(({ code }) => ofTheBook.has(code))
  return { ...investigation, explanations, candidates: new Map(), boundary }
}

/** Returns whether a rule gives every figure of the platform. */
export function hasMatch(boundary: DayResult['boundary']): boolean {
  return boundary?.candidates.some(({ matches }) => matches) ?? false
}
