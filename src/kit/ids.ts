/** Ids in the forms the APIs promise, made from a time and random bytes that the caller passes. */

import { ulid as ulidFrom } from 'ulidx'

const lettersAndDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Random bytes of a ULID: 80 bits. */
export const ulidBytes = 10

/** Returns a ULID: 26 upper-case characters, 48 bits of milliseconds and then 80 random bits. `at` must be above 0. */
export function ulid(at: number, random: Uint8Array): string {
  let bit = ulidBytes * 8
  // Takes five bits at a time, the last ones first; they are in one byte or in two.
  const nextFraction = () => {
    bit -= 5
    const byte = bit >> 3
    const pair = ((random[byte] ?? 0) << 8) | (random[byte + 1] ?? 0)
    return ((pair >> (11 - (bit & 7))) & 31) / 32
  }
  return ulidFrom(at, nextFraction)
}

/**
 * Returns `length` letters and digits. Bytes above the last whole multiple of 62 are skipped, so that all characters
 * are equally likely.
 */
export function letters(length: number, random: (size: number) => Uint8Array): string {
  return fromAlphabet(lettersAndDigits, length, random)
}

/** Returns `length` decimal digits, the first not zero. */
export function digits(length: number, random: (size: number) => Uint8Array): string {
  return fromAlphabet('123456789', 1, random) + fromAlphabet('0123456789', length - 1, random)
}

function fromAlphabet(alphabet: string, length: number, random: (size: number) => Uint8Array): string {
  const fair = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of random(length - text.length)) if (byte < fair) text += alphabet.charAt(byte % alphabet.length)
  }
  return text
}
