import { judgeWebhook, type WebhookVerdict } from '../domain/signing.ts'

/** Making sense of a webhook that somebody sent us, or that lies in a file. */

/** A webhook as it was captured: its exact bytes, and the header that vouches for them. */
export interface Captured {
  readonly body: Uint8Array
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** What a webhook says of itself. */
export interface WebhookIdentity {
  readonly deliveryId: string
  readonly event: string
  readonly companyCode: string
  readonly createdAt: string
}

export function headerOf({ headers }: Pick<Captured, 'headers'>, name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1]
}

/** How a captured webhook stands with a secret at a moment. */
export function verdictOn(captured: Captured, secret: string, now: number): WebhookVerdict {
  return judgeWebhook(secret, headerOf(captured, 'x-svc-signature') ?? '', captured.body, now)
}

/** The `t` of its signature in milliseconds, where there is one. */
export function signedAtOf(captured: Captured): number | undefined {
  const seconds = /^\s*t=([0-9]{1,12}),/.exec(headerOf(captured, 'x-svc-signature') ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/** What the body says of itself; why not, where it says nothing that can be used or something else than the headers. */
export function identityOf(captured: Captured): WebhookIdentity | { readonly because: string } {
  const fields = fieldsOf(captured.body)
  if (!fields) return { because: 'the body is not a JSON object' }
  const { id, event, companyCode, createdAt } = fields
  if (typeof id !== 'string' || id === '' || typeof event !== 'string' || typeof companyCode !== 'string')
    return { because: 'the body lacks id, event or companyCode' }
  const told = { 'x-svc-delivery': id, 'x-svc-event': event }
  for (const [name, value] of Object.entries(told)) {
    const header = headerOf(captured, name)
    // Only the body is signed: a header that says otherwise was changed on the way.
    if (header !== undefined && header !== value) return { because: `${name} is not what the body says` }
  }
  return { deliveryId: id, event, companyCode, createdAt: typeof createdAt === 'string' ? createdAt : '' }
}

function fieldsOf(body: Uint8Array): Record<string, unknown> | undefined {
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
 * A capture out of a file: a whole HTTP message (headers, an empty line, the body), what `webhooks show --json` printed,
 * or the bare body.
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
