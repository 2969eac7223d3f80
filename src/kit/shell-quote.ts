/** Quotes a word for a shell if necessary. */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_.:@%+=/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
