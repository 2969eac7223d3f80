import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Returns the lower-case hex HMAC of exactly these bytes. */
export function hmacHex(algorithm: 'sha256' | 'sha512', key: string, data: string | Uint8Array): string {
  return createHmac(algorithm, key).update(data).digest('hex')
}

/** Returns the lower-case hex SHA-256 of exactly these bytes. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

/** Compares two texts in constant time. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
