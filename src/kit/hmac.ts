import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Lower-case hex of an HMAC over exactly these bytes. */
export function hmacHex(algorithm: 'sha256' | 'sha512', key: string, data: string | Uint8Array): string {
  return createHmac(algorithm, key).update(data).digest('hex')
}

/** Lower-case hex SHA-256 of exactly these bytes. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

/** Whether two texts are equal, in a time that does not tell where they differ. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
