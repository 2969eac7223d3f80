import { toRequest } from '../../http/client/client.ts'
import type { Input } from '../../http/contract/contract.ts'
import { casino as casinoContract } from '../../services/casino/api/contract.ts'
import type { Shapes } from './result-schema.ts'

/** A request as it would be sent, without credentials. */
export interface PlannedRequest {
  readonly method: string
  /** Path and query, below the base URL. */
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> | null
}

type Endpoints = (typeof casinoContract)['endpoints']

/** Returns the request of a call, built by the code that sends it. A password is masked. */
export function plannedRequest<Name extends keyof Endpoints & string>(
  name: Name,
  input: Input<Endpoints[Name]>,
): PlannedRequest {
  const { method, path, body } = toRequest(casinoContract, name, input)
  const fields: Record<string, unknown> | null = typeof body === 'string' ? JSON.parse(body) : null
  return { method, path, body: fields && 'password' in fields ? { ...fields, password: '***' } : fields }
}

/** Formats a request for people. */
export function plannedText({ method, path, body }: PlannedRequest): string {
  return [`${method} ${path}`, ...(body === null ? [] : [JSON.stringify(body, null, 2)])].join('\n')
}

/** Schema of the `request` field of writing commands. Null if the request was sent. */
export function plannedSchema({ Type }: Shapes) {
  const request = Type.Object({
    method: Type.String(),
    path: Type.String({ description: 'Path and query, below the base URL.' }),
    body: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  })
  return Type.Union([request, Type.Null()], { description: 'With --dry-run: the request that would be sent.' })
}
