import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse as Response } from 'node:http'
import { ServerResponse } from './node-http.ts'

type Headers = Readonly<Record<string, string>>

/** A response class that adds headers to the head of every response, whoever writes it. They are asked for at that moment. */
export function responseWith(added: () => Headers): typeof Response {
  const Extended = class extends ServerResponse {
    addedHeaders = added

    override writeHead(status: number, ...rest: (string | OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined)[]) {
      const headers = rest.at(-1)
      const isObject = typeof headers === 'object' && !Array.isArray(headers)
      // Merged where that is possible: headers that were set before make Node write each of the others singly.
      if (isObject) rest[rest.length - 1] = { ...headers, ...added() }
      else for (const [name, value] of Object.entries(added())) this.setHeader(name, value)
      // The overloads of this method cannot be told apart by the compiler once their arguments are gathered.
      return super.writeHead(status, ...(rest as [string, OutgoingHttpHeaders]))
    }
  }
  // Node's type says the class may be of any request; each of ours is of an ordinary one.
  return Extended as typeof Response
}

/** The headers that a response of such a class adds, for a head that is not written by it. */
export function addedHeaders(response: Response): Headers {
  if (!('addedHeaders' in response) || typeof response.addedHeaders !== 'function') return {}
  return response.addedHeaders()
}
