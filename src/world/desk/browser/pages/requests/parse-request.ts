/** Reads the signed parts of a pasted request: a raw HTTP request, or a curl command. */

export interface SignedParts {
  readonly method: string
  readonly path: string
  readonly timestamp: string
  readonly nonce: string
  readonly signature: string
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

function ofCurl(text: string): SignedParts | undefined {
  const args = wordsOf(text.replace(/\\\r?\n/g, ' ')).slice(1)
  const headers: string[] = []
  let method: string | undefined
  let target: string | undefined
  let body = ''
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const next = () => args[++at] ?? ''
    if (arg === '-X' || arg === '--request') method = next()
    else if (arg === '-H' || arg === '--header') headers.push(next())
    else if (/^(-d|--data(-raw|-binary)?)$/.test(arg)) body = next()
    else if (!arg.startsWith('-')) target = arg
  }
  if (target === undefined) return undefined
  return partsOf(method ?? (body === '' ? 'GET' : 'POST'), target, headersOf(headers), body)
}

/** Splits a command into words as a shell does. */
function wordsOf(text: string): string[] {
  const parts = text.match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g) ?? []
  return parts.map((part) =>
    part.replace(
      /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
      (_, single?: string, double?: string, escaped?: string) =>
        single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
    ),
  )
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
    body,
  }
}
