import type { ActionEntry, ActionName } from '../actions/index.ts'

/** The desk's interface of the served world. Every request carries the token; the page's address does not keep it. */

const metaOf = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

const token = metaOf('desk-token')
const entries: readonly ActionEntry[] = JSON.parse(metaOf('desk-actions') || '[]')

/** All actions by name. */
export const actions = new Map<ActionName, ActionEntry>(entries.map((entry) => [entry.name, entry]))

/** A refusal or failure of a request. */
export class DeskError extends Error {
  readonly code: string
  /** Field of the form that is at fault, if one is. */
  readonly field: string | undefined

  constructor(code: string, message: string, field?: string) {
    super(message)
    this.code = code
    this.field = field
  }
}

/** Sends a request with the token. */
export function deskFetch(path: string, options: RequestInit = {}): Promise<Response> {
  return fetch(path, { ...options, headers: { authorization: `Bearer ${token}`, ...options.headers } })
}

async function post(path: string, body: object): Promise<unknown> {
  const response = await deskFetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new DeskError('UNREACHABLE', 'The served world does not respond')
  })
  if (response.ok) return response.json()
  throw await errorOf(response)
}

/** Reads the error of a response. */
export async function errorOf(response: Response): Promise<DeskError> {
  const body = await response.json().catch(() => ({}))
  const message = response.status === 401 ? lostToken : String(body.message ?? `Status ${response.status}`)
  return new DeskError(String(body.code ?? response.status), message, body.detail?.field)
}

const lostToken = 'The world was started again and has another token. Open the desk with its new link'

/** Runs an action; resolves with its result. */
export async function runAction(name: ActionName, input: object): Promise<Record<string, unknown>> {
  const answer = (await post(`/desk/api/actions/${encodeURIComponent(name)}`, input)) as {
    result: Record<string, unknown>
  }
  return answer.result
}

/** Changes how the receiver answers, or clears it. */
export function changeReceiver(change: { status?: number; clear?: true }): Promise<unknown> {
  return post('/desk/api/receiver', change)
}
