import fc from 'fast-check'

/** Characters that UTF-16 has no code points for, as halves of pairs. */
const surrogates = { first: 0xd800, count: 0x800 }

/**
 * Any Unicode character, a unit of `fc.string`. fast-check's own `binary` is the same, but lists all 1.1 million characters first, which
 * takes 2 s.
 */
export const anyCharacter = fc.nat({ max: 0x10ffff - surrogates.count }).map(characterAt, indexOf)

function characterAt(index: number): string {
  return String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count)
}

function indexOf(character: unknown): number {
  const code = typeof character === 'string' ? character.codePointAt(0) : undefined
  if (code === undefined || String.fromCodePoint(code) !== character) throw new Error('not one character')
  return code < surrogates.first ? code : code - surrogates.count
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
const ofUrl = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.constantFrom(...letters, ...letters.toUpperCase(), ...'0123456789', ..."-._~!$&'()*+,;=:@/?"),
  },
  { weight: 1, arbitrary: anyCharacter.map(percentEncoded) },
)

function percentEncoded(character: string): string {
  const encoded = encodeURIComponent(character)
  return encoded === character ? `%${character.charCodeAt(0).toString(16)}` : encoded
}

/** The end of a URL's path, with a query or without: as `fc.webPath` and `fc.webQueryParameters`, which list all characters too. */
export const anyUrlEnd = fc.oneof(
  fc.constant(''),
  fc.string({ unit: ofUrl }).map((text) => `?${text}`),
  fc
    .array(fc.string({ unit: ofUrl }).map((text) => text.replace(/[/?]/g, '')))
    .map((parts) => parts.map((part) => `/${part}`).join('')),
)
