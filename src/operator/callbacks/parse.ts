/** Parsing of captured webhooks and IPNs. */

/** A captured callback: its exact bytes and headers; one header has the signature. */
export interface Captured {
  readonly body: Uint8Array
  readonly headers: readonly (readonly [name: string, value: string])[]
}

export function headerOf({ headers }: Pick<Captured, 'headers'>, name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1]
}

/** Returns the fields of a JSON object body. */
export function fieldsOf(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Parses a capture: a whole HTTP message (headers, an empty line, the body), the output of `show --json`,
 * or the body alone.
 */
export function captureFrom(file: Uint8Array): Captured {
  return shownCapture(file) ?? httpCapture(Buffer.from(file)) ?? { body: file, headers: [] }
}

function shownCapture(file: Uint8Array): Captured | undefined {
  const fields = fieldsOf(file)
  const data = (fields?.['schemaVersion'] === undefined ? fields : fields['data']) as
    | Record<string, unknown>
    | undefined
  const { headers, body, bodyForm } = data ?? {}
  if (!Array.isArray(headers) || typeof body !== 'string') return undefined
  return { headers, body: Buffer.from(body, bodyForm === 'base64' ? 'base64' : 'utf8') }
}

function httpCapture(file: Buffer): Captured | undefined {
  const end = /\r?\n\r?\n/.exec(file.toString('latin1'))
  if (!end) return undefined
  const lines = file.toString('latin1', 0, end.index).split(/\r?\n/)
  const [first = ''] = lines
  const headers = (/^[A-Z]+ \S+ HTTP\//.test(first) ? lines.slice(1) : lines).map(
    (line) => /^([A-Za-z0-9-]+):\s*(.*?)\s*$/.exec(line)?.slice(1) as [string, string] | undefined,
  )
  if (headers.length === 0 || headers.includes(undefined)) return undefined
  const known = headers.filter((header) => header !== undefined)
  return { headers: known, body: file.subarray(end.index + end[0].length) }
}
