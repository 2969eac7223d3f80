import { toRequest } from '../../http/client/client.ts'
import type { Input } from '../../http/contract/contract.ts'
import { casino as casinoContract } from '../../services/casino/api/contract.ts'

/** A request as it would be sent, without what proves who sends it. */
export interface PlannedRequest {
  readonly method: string
  /** Path and query, below the base URL. */
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> | null
}

type Endpoints = (typeof casinoContract)['endpoints']

/** What a call would send, made by the same code that sends it. A password is shown as stars. */
export function plannedRequest<Name extends keyof Endpoints & string>(
  name: Name,
  input: Input<Endpoints[Name]>,
): PlannedRequest {
  const { method, path, body } = toRequest(casinoContract, name, input)
  const fields: Record<string, unknown> | null = typeof body === 'string' ? JSON.parse(body) : null
  return { method, path, body: fields && 'password' in fields ? { ...fields, password: '***' } : fields }
}

/** The same for people. */
export function plannedText({ method, path, body }: PlannedRequest): string {
  return [`${method} ${path}`, ...(body === null ? [] : [JSON.stringify(body, null, 2)])].join('\n')
}

/** The schema of the `request` field that every writing command has; null when it was sent. */
export async function plannedSchema() {
  const { Type } = await import('typebox')
  const request = Type.Object({
    method: Type.String(),
    path: Type.String({ description: 'Path and query, below the base URL' }),
    body: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  })
  return Type.Union([request, Type.Null()], { description: 'With --dry-run: what would have been sent' })
}
