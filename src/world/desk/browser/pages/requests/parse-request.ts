/** Reads the signed parts of a pasted request: a raw HTTP request, or a curl command. */

export interface SignedParts {
  readonly method: string
  readonly path: string
  readonly timestamp: string
  readonly nonce: string
  readonly signature: string
  readonly key: string
  readonly body: string
}

/** Returns the parts of a pasted request; undefined if it is none. */
export function parseRequest(text: string): SignedParts | undefined {
  const trimmed = text.trimStart()
  return /^curl\s/.test(trimmed) ? ofCurl(trimmed) : ofRaw(trimmed)
}

function ofRaw(text: string): SignedParts | undefined {
  const [head = '', ...bodies] = text.split(/\r?\n\r?\n/)
  const [first = '', ...lines] = head.split(/\r?\n/)
  const [, method, target] = /^([A-Z]+)\s+(\S+)(\s+HTTP\/[\d.]+)?$/.exec(first.trim()) ?? []
  if (method === undefined || target === undefined) return undefined
  // A blank line inside the body belongs to it.
  return partsOf(method, target, headersOf(lines), bodies.join('\n\n'))
}

/** Options of curl whose values are not signed parts. */
const otherValues =
  /^(-[AbcCDeEFhKmoPQrtTuUwxyYz]|--(cacert|cert|connect-timeout|cookie|cookie-jar|form|interface|key|max-time|output|proxy|range|referer|resolve|retry|user|user-agent|write-out))$/

/** Short options that may have their value attached. */
const attached = /^-([XHd])(.+)$/s

function ofCurl(text: string): SignedParts | undefined {
  const args = wordsOf(text.replace(/\\\r?\n/g, ' '))
    .slice(1)
    .flatMap((arg) => {
      const [, flag, value] = /^(--[a-z-]+)=(.*)$/s.exec(arg) ?? []
      if (flag !== undefined && value !== undefined) return [flag, value]
      const [, short, rest] = attached.exec(arg) ?? []
      return short !== undefined && rest !== undefined ? [`-${short}`, rest] : [arg]
    })
  const headers: string[] = []
  const data: string[] = []
  let method: string | undefined
  let target: string | undefined
  let isQuery = false
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const next = () => args[++at] ?? ''
    if (arg === '-X' || arg === '--request') method = next()
    else if (arg === '-H' || arg === '--header') headers.push(next())
    else if (/^(-d|--data(-raw|-binary|-ascii)?|--json)$/.test(arg)) data.push(next())
    else if (arg === '--url') target = next()
    else if (arg === '-G' || arg === '--get') isQuery = true
    else if (arg === '-I' || arg === '--head') method ??= 'HEAD'
    else if (otherValues.test(arg)) next()
    else if (!arg.startsWith('-')) target ??= arg
  }
  if (target === undefined) return undefined
  const body = data.join('&')
  if (isQuery && body !== '')
    return partsOf(method ?? 'GET', `${target}${target.includes('?') ? '&' : '?'}${body}`, headersOf(headers), '')
  return partsOf(method ?? (data.length === 0 ? 'GET' : 'POST'), target, headersOf(headers), body)
}

/** Splits a command into words as a shell does. */
function wordsOf(text: string): string[] {
  const parts = text.match(/(?:\$'(?:\\.|[^'\\])*'|'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/gs) ?? []
  return parts.map((part) =>
    part.replace(
      /\$'((?:\\.|[^'\\])*)'|'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs,
      (_, ansi?: string, single?: string, double?: string, escaped?: string) =>
        ansi === undefined
          ? (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '')
          : ansi.replace(/\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)/gs, (_all, code: string) => unescaped(code)),
    ),
  )
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** Returns the character of an escape in `$'…'`, as browsers copy bodies. */
function unescaped(code: string): string {
  return code.length > 1 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (escapes[code] ?? code)
}

function headersOf(lines: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines.flatMap((line) => {
      const at = line.indexOf(':')
      return at < 0 ? [] : [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]]
    }),
  )
}

function partsOf(method: string, target: string, headers: Readonly<Record<string, string>>, body: string): SignedParts {
  const path = target.replace(/^https?:\/\/[^/]+/, '')
  return {
    method: method.toUpperCase(),
    path: path === '' ? '/' : path,
    timestamp: headers['x-timestamp'] ?? '',
    nonce: headers['x-nonce'] ?? '',
    signature: headers['x-signature'] ?? '',
    key: headers['x-api-key'] ?? '',
    body,
  }
}
