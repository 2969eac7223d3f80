/**
 * Returns whether a text can be stored unchanged. No database accepts NUL, and unpaired surrogates would all become the
 * same replacement character, so that two names could become one.
 */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/**
 * Replaces characters that cannot be stored, for ids that no schema validates. No id contains the replacement
 * character.
 */
export function storable(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '\ufffd')
}
