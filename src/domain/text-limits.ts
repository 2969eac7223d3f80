/** Maximum lengths of free texts, in characters (Unicode code points): our own decision, since the document names none. */
export const textLimits = {
  /** A player's nickname. */
  nickname: 64,
  /** The name of a table, of its provider, or of bet limits. */
  name: 100,
  /** The reference of a payment. */
  ref: 200,
  /** The text of a test event. */
  message: 500,
  /** A URL. */
  url: 2000,
} as const

/** Returns whether a text has a length between these limits, counted as JSON Schema counts it. */
export function isWithinLength(text: string, max: number, min = 1): boolean {
  const length = [...text].length
  return length >= min && length <= max
}
