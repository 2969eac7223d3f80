import { parse as parseForm } from 'node:querystring'

/** Objects and lists inside one another beyond which a body is refused: what handles values later (fingerprints, logs) walks them by calling itself. */
const deepest = 64

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The object that a JSON body says, or why it says none. */
export function readObject(body: Uint8Array): { value: Record<string, unknown> } | { fault: string } {
  if (body.byteLength === 0) return { fault: 'The body is empty; a JSON object is needed' }
  let text: string
  let value: unknown
  try {
    text = utf8.decode(body)
  } catch {
    return { fault: 'The body is not UTF-8' }
  }
  if (isDeeperThan(deepest, text)) return { fault: `The body is nested deeper than ${deepest} levels` }
  try {
    value = JSON.parse(text, mayNeedReviving(text) ? revived : undefined)
  } catch {
    return { fault: 'The body is not valid JSON' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { fault: 'The body is not a JSON object' }
  }
  return { value: value as Record<string, unknown> }
}

/** The fields of a body as a browser's form sends it: texts, the last of a repeated name. */
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
    return { fault: 'The body is not UTF-8' }
  }
}

/** The name may hide behind escapes. A number may be too small to be told from 0. Most bodies hold neither and need no reviver. */
function mayNeedReviving(text: string): boolean {
  return text.includes('__proto__') || text.includes('\\u') || /[0-9][eE]-[0-9]|0{300}/.test(text)
}

/** What `JSON.parse` tells its reviver of a plain value. TypeScript's library does not declare it yet. */
interface SourceText {
  readonly source?: string
}

function revived(key: string, value: unknown, { source = '' }: SourceText = {}): unknown {
  // A field of this name would change what an object inherits from wherever it is copied by assignment.
  if (key === '__proto__') return undefined
  // 1e-400 becomes 0, which may be a valid value. As NaN it is refused where a field of the contract holds it.
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
