import { setFlagsFromString } from 'node:v8'
import type { Agent, buildConnector } from 'undici'

/** A keep-alive HTTP agent whose responses are passed to a handler. */
export type HttpAgent = Pick<Agent, 'dispatch' | 'close' | 'destroy'>

export interface HttpAgentOptions extends Agent.Options {
  readonly connect: buildConnector.BuildOptions
}

/**
 * Opens a keep-alive HTTP agent. Loads only this part of the library: the whole has five times as many modules, which
 * would delay commands with a single request.
 */
export async function openHttpAgent(options: HttpAgentOptions): Promise<HttpAgent> {
  const [{ default: OneAgent }, { default: connectorOf }] = await Promise.all([
    import(agentPart),
    import(connectorPart),
    import(parserPart),
  ])
  return new OneAgent({ ...options, connect: optimizingLate(connectorOf(options.connect)) })
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
  const [agent, requests] = await Promise.all([openHttpAgent(options), import(requestPart)])
  // The library adds its functions to the prototype only when loaded as a whole.
  return Object.assign(agent, { request: requests.default as Agent['request'] })
}

// In a variable, because the library has types only for the whole package.
const agentPart: string = 'undici/lib/dispatcher/agent.js'
const connectorPart: string = 'undici/lib/core/connect.js'
/** Loaded before the budget is changed, so that its cached code is used. */
const parserPart: string = 'undici/lib/llhttp/llhttp_simd-wasm.js'
const requestPart: string = 'undici/lib/api/api-request.js'
