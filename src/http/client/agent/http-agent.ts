import { setFlagsFromString } from 'node:v8'
import type { Agent, buildConnector } from 'undici'
import { type OutgoingProxy, proxyUrl } from './proxy.ts'

/** A keep-alive HTTP agent whose responses are passed to a handler. */
export type HttpAgent = Pick<Agent, 'dispatch' | 'close' | 'destroy'>

export interface HttpAgentOptions extends Agent.Options {
  readonly connect: buildConnector.BuildOptions & { readonly timeout: number }
  readonly proxy?: OutgoingProxy | undefined
}

/** Loads the library with the first request. */
const library = () => import('./undici.ts')

/**
 * Opens a keep-alive HTTP agent, which connects through the proxy if there is one. It uses HTTP/1.1 only: over HTTP/2 the library takes a
 * response that the server cut off for a whole one. Throws REMOTE_INSECURE for an invalid proxy.
 */
export async function openHttpAgent({ proxy, ...given }: HttpAgentOptions): Promise<HttpAgent> {
  const { Agent, buildConnector } = await library()
  const connector = buildConnector({ ...given.connect, allowH2: false })
  const options = { ...given, allowH2: false, connect: optimizingLate(connector) }
  if (!proxy) return new Agent(options)
  const httpsProxy = proxyUrl(proxy)
  const { EnvHttpProxyAgent } = await import('./undici-proxy.ts')
  return new EnvHttpProxyAgent({
    ...options,
    connectTimeout: given.connect.timeout,
    httpProxy: '',
    httpsProxy,
    noProxy: proxy.except,
  })
}

/**
 * Lets V8 optimize the library's HTTP parser, which is WebAssembly, after some hundred responses instead of two or three.
 * Optimizing it takes a second thread 50 ms or more, and the end of a process waits for it: longer than all requests of
 * a short command. The parser is made with the first connection, and V8 reads the budget then.
 */
function optimizingLate(connect: buildConnector.connector): buildConnector.connector {
  return (options, connected) =>
    connect(options, (...result) => {
      const [error] = result
      if (error || isParserMade) return connected(...result)
      isParserMade = true
      setFlagsFromString(`--wasm-tiering-budget=${budgets.late}`)
      try {
        connected(...result)
      } finally {
        // With another budget than its own, V8 would reject the cached code of every module that is loaded later.
        setFlagsFromString(`--wasm-tiering-budget=${budgets.own}`)
      }
    })
}

/** True after the first connection: all agents of a process have one parser. */
let isParserMade = false

/** V8's own budget in Node 22 to 24, roughly in bytes of executed code, and one that is 150 times as large. */
const budgets = { own: 13_000_000, late: 2_000_000_000 }

/** Opens a keep-alive HTTP agent with streamed responses, for bodies that are endless or may exceed memory. */
export async function openStreamingAgent(options: HttpAgentOptions): Promise<HttpAgent & Pick<Agent, 'request'>> {
  const agent = await openHttpAgent(options)
  const { request } = await library()
  // The library adds its functions to the prototype only when loaded as a whole.
  return Object.assign(agent, { request })
}
