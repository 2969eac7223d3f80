import { parse as parseForm } from 'node:querystring'

/** Maximum nesting of a body: later code (fingerprints, logs) walks values recursively. */
const deepest = 64

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses a JSON body into an object, or returns the fault. */
export function readObject(body: Uint8Array): { value: Record<string, unknown> } | { fault: string } {
  if (body.byteLength === 0) return { fault: 'The body is empty; a JSON object is required' }
  let text: string
  let value: unknown
  try {
    text = utf8.decode(body)
  } catch {
    return { fault: 'The body is not valid UTF-8' }
  }
  if (isDeeperThan(deepest, text)) return { fault: `The body is nested more than ${deepest} levels deep` }
  try {
    value = JSON.parse(text, mayNeedReviving(text) ? reviveNumber : undefined)
  } catch {
    return { fault: 'The body is not valid JSON' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { fault: 'The body is not a JSON object' }
  }
  return { value: value as Record<string, unknown> }
}

/** Parses a form body: texts, the last one of a repeated name. */
export function readForm(body: Uint8Array): { value: Record<string, unknown> } | { fault: string } {
  try {
    const fields = Object.entries(parseForm(utf8.decode(body)))
    return {
      value: Object.fromEntries(
        fields
          .filter(([name]) => name !== '__proto__')
          .map(([name, text]) => [name, Array.isArray(text) ? text.at(-1) : text]),
      ),
    }
  } catch {
    return { fault: 'The body is not valid UTF-8' }
  }
}

/**
 * Returns whether a body needs the reviver: the name may be escaped, or a number may round to 0. Most bodies need none.
 */
function mayNeedReviving(text: string): boolean {
  return text.includes('__proto__') || text.includes('\\u') || /[0-9][eE]-[0-9]|0{300}/.test(text)
}

/** Context that `JSON.parse` passes to its reviver. TypeScript's library does not declare it yet. */
interface SourceText {
  readonly source?: string
}

function reviveNumber(key: string, value: unknown, { source = '' }: SourceText = {}): unknown {
  // A field with this name would change the prototype of an object that it is assigned to.
  if (key === '__proto__') return undefined
  // 1e-400 becomes 0, which may be valid. As NaN it is refused by fields of the contract.
  return value === 0 && /^[^eE]*[1-9]/.test(source) ? Number.NaN : value
}

function isDeeperThan(limit: number, text: string): boolean {
  let depth = 0
  let isInText = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (isInText) {
      if (char === backslash) i++
      else if (char === quote) isInText = false
    } else if (char === quote) isInText = true
    else if (char === openBrace || char === openBracket) {
      if (++depth > limit) return true
    } else if (char === closeBrace || char === closeBracket) depth--
  }
  return false
}

const backslash = 0x5c
const quote = 0x22
const openBrace = 0x7b
const openBracket = 0x5b
const closeBrace = 0x7d
const closeBracket = 0x5d
