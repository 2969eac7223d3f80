/** Ids in the forms the APIs promise, made from a time and random bytes that are handed in. */

/** Crockford's base 32: one case, no letters that look like digits, and in the order of ASCII. */
const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const lettersAndDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** How many random bytes a ULID takes: 80 bits. */
export const ulidBytes = 10

/** A ULID, 26 upper-case characters: 48 bits of milliseconds, then 80 random bits. */
export function ulid(at: number, random: Uint8Array): string {
  let time = ''
  for (let rest = at, i = 0; i < 10; i++) {
    time = crockford.charAt(rest % 32) + time
    rest = Math.floor(rest / 32)
  }
  let bits = 0n
  for (const byte of random.subarray(0, ulidBytes)) bits = (bits << 8n) | BigInt(byte)
  let tail = ''
  for (let i = 0; i < 16; i++) {
    tail = crockford.charAt(Number(bits & 31n)) + tail
    bits >>= 5n
  }
  return time + tail
}

/** `length` letters and digits. Bytes above the last whole multiple of 62 are passed over, so none is likelier than another. */
export function letters(length: number, random: (size: number) => Uint8Array): string {
  return fromAlphabet(lettersAndDigits, length, random)
}

/** `length` decimal digits, the first not zero. */
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
