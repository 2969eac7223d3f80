import { prefix, type RawRequest, sendRaw } from '../../support/http/raw.ts'
import type { TestTenant } from '../../support/worlds/people.ts'

/** A client of the tenant API with the document's paths: `POST /player/launch` with a body. */

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: each test expects another body.
  readonly body: any
}

export async function ask(
  { world, key }: Pick<TestTenant, 'world' | 'key'>,
  endpoint: string,
  sent: Readonly<Record<string, unknown>> = {},
  more: RawRequest = {},
): Promise<Answer> {
  const [method = '', path = ''] = endpoint.split(' ')
  const query = new URLSearchParams(
    Object.entries(sent).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  const request =
    method === 'GET'
      ? { method, url: `${prefix}${path}${query ? `?${query}` : ''}` }
      : { method, url: `${prefix}${path}`, body: JSON.stringify(sent) }
  const reply = await sendRaw(world, key, { ...request, ...more })
  return { status: reply.status, body: reply.body === '' ? undefined : JSON.parse(reply.body) }
}

/** `ok`, or the code of the refusal. */
export const verdictOf = ({ body }: Answer): string => (body.ok ? 'ok' : body.error.code)
