/** Characters that are not seen, and could steer a screen, make a name look like another one or turn what follows around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point. Line breaks and tabs are for the caller to keep or not.
export const unseen = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
