import { sha256Hex } from '../../kit/hmac.ts'
import { isTenantSignature, signTenantRequest, type TenantRequest } from '../signing.ts'
import { type Draft, type LineName, lineNames, type Mistake, mistakesOf, properly } from './mistakes.ts'

/** Diagnosis of a tenant's signature: which mistake gives it. */

/** One signed line, as the platform sees it. */
export interface SignedLine {
  readonly name: LineName
  readonly value: string
  /** Length in bytes. */
  readonly bytes: number
}

export interface Diagnosis {
  /** `match`: the signature is right; `differs`: it is not. */
  readonly verdict: 'match' | 'differs'
  /** The line that was signed with another value, and that value, where a mistake explains the signature. */
  readonly differs: LineName | null
  readonly signedValue: string | null
  /** Sentences that explain the signature; empty if no known mistake does. */
  readonly hints: readonly string[]
}

/** Returns the five lines a tenant signs (1-tenant-api, Authentication). */
export function signedLines(request: TenantRequest): SignedLine[] {
  const values = lineValues(request)
  return lineNames.map((name) => ({ name, value: values[name], bytes: Buffer.byteLength(values[name]) }))
}

function lineValues({ method, url, timestamp, nonce, body }: TenantRequest): Record<LineName, string> {
  return { method: method.toUpperCase(), path: url, timestamp, nonce, bodySha256: sha256Hex(body) }
}

/**
 * Explains a signature by trying the usual mistakes one by one, then each two in different parts. A mistake is named only
 * if it gives exactly this signature.
 */
export function diagnose(secret: string, request: TenantRequest, signature: string): Diagnosis {
  if (isTenantSignature(secret, request, signature))
    return { verdict: 'match', differs: null, signedValue: null, hints: [] }
  const differs = { verdict: 'differs', differs: null, signedValue: null } as const
  const given = readSignature(signature)
  if (given === undefined)
    return {
      ...differs,
      hints: ['The signature must be 64 characters of lower-case hex: the HMAC-SHA256 of the five lines'],
    }
  const draft: Draft = { lines: lineValues(request), secret, sign: properly }
  const found = explainedBy(draft, mistakesOf(request, secret), given.bytes)
  const form = given.hint === undefined ? [] : [given.hint]
  if (found === undefined) return { ...differs, hints: form }
  const changed = found.find(({ part }) => part !== 'secret' && part !== 'text')
  const line = changed?.part as LineName | undefined
  return {
    verdict: 'differs',
    differs: line ?? null,
    signedValue: line === undefined ? null : (changed?.apply(draft).lines[line] ?? null),
    hints: [...form, ...found.map(({ hint }) => hint)],
  }
}

/** Returns the signature of a request, and its lines, for comparing by hand. */
export function expectedSignature(secret: string, request: TenantRequest): string {
  return signTenantRequest(secret, request)
}

/** Returns the mistakes that give these bytes: none, one, or two in different parts. */
function explainedBy(draft: Draft, mistakes: readonly Mistake[], given: Buffer): readonly Mistake[] | undefined {
  const gives = (changed: Draft) =>
    changed
      .sign(
        lineNames.map((name) => changed.lines[name]),
        changed.secret,
      )
      .equals(given)
  if (gives(draft)) return []
  const one = mistakes.find((mistake) => gives(mistake.apply(draft)))
  if (one) return [one]
  // The milliseconds of a second are a thousand mistakes of one kind, and pairs with them would take seconds.
  const few = mistakes.filter(({ part }) => part !== 'timestamp')
  for (const [at, first] of few.entries()) {
    const after = first.apply(draft)
    const second = few.slice(at + 1).find((mistake) => mistake.part !== first.part && gives(mistake.apply(after)))
    if (second) return [first, second]
  }
  return undefined
}

/** Returns the bytes of a signature in any usual encoding, and a hint if it is not the right one. */
function readSignature(signature: string): { bytes: Buffer; hint?: string } | undefined {
  const text = signature.trim()
  const spaces = text === signature ? [] : ['The signature has white space around it']
  const bare = text.replace(/^(sha256=|v1=|hmac )/i, '')
  const prefix = bare === text ? [] : ['Send the signature without a prefix']
  const read = ofEncoding(bare)
  if (read === undefined) return undefined
  const hints = [...spaces, ...prefix, ...read.hints]
  return { bytes: read.bytes, ...(hints.length === 0 ? {} : { hint: hints.join('. ') }) }
}

function ofEncoding(text: string): { bytes: Buffer; hints: string[] } | undefined {
  if (/^([0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i.test(text)) {
    const isLower = text === text.toLowerCase()
    return {
      bytes: Buffer.from(text, 'hex'),
      hints: isLower ? [] : ['Send the signature in lower-case hex, not in upper case'],
    }
  }
  const isBase64 = /^[A-Za-z0-9+/]{43}=$|^[A-Za-z0-9_-]{43}=?$/.test(text)
  if (!isBase64) return undefined
  const decoded = Buffer.from(text, 'base64url')
  // Hex that was encoded once more, as some libraries do.
  return { bytes: decoded, hints: ['Send the signature in lower-case hex, not in Base64'] }
}
