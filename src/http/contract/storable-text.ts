/**
 * Whether a text can be kept as it is: a NUL is taken by no database, and half a character would become another sign on
 * the way there, the same for all halves, so that two names would be one.
 */
export function isKeepable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** The text with another sign for what cannot be kept: for ids that no schema judges, none of which has that sign. */
export function keepable(text: string): string {
  return isKeepable(text) ? text : text.toWellFormed().replaceAll('\0', '\ufffd')
}
