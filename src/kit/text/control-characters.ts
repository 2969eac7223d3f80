/** Invisible characters. They can control a terminal, imitate another name or reverse the text that follows. */
// Line breaks and tabs are included only as far as callers cannot want them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: matching them is the purpose
export const unseen = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Shows invisible characters as their codes. */
export const withCodes = (text: string): string =>
  text.replace(unseen, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
