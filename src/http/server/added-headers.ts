import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse as Response } from 'node:http'
import { ServerResponse } from './node-http.ts'

type Headers = Readonly<Record<string, string>>

/** Returns a response class that adds headers to every response when its head is written, by any code. */
export function responseWith(added: () => Headers): typeof Response {
  const Extended = class extends ServerResponse {
    addedHeaders = added

    override writeHead(status: number, ...rest: (string | OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined)[]) {
      const headers = rest.at(-1)
      const isObject = typeof headers === 'object' && !Array.isArray(headers)
      // Merged where possible: after `setHeader`, Node writes the other headers one by one.
      if (isObject) rest[rest.length - 1] = { ...headers, ...added() }
      else for (const [name, value] of Object.entries(added())) this.setHeader(name, value)
      // The compiler cannot distinguish this method's overloads once the arguments are collected.
      return super.writeHead(status, ...(rest as [string, OutgoingHttpHeaders]))
    }
  }
  // Node's type requires a class for any request; ours are ordinary ones.
  return Extended as typeof Response
}

/** Returns the headers that a response of such a class adds, for a head written elsewhere. */
export function addedHeaders(response: Response): Headers {
  if (!('addedHeaders' in response) || typeof response.addedHeaders !== 'function') return {}
  return response.addedHeaders()
}
