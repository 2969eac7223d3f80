import type { Agent } from 'undici'

/** A keep-alive HTTP agent whose responses are passed to a handler. */
export type HttpAgent = Pick<Agent, 'dispatch' | 'close' | 'destroy'>

/**
 * Opens a keep-alive HTTP agent. Loads only this part of the library: the whole has five times as many modules, which
 * would delay commands with a single request.
 */
export async function openHttpAgent(options: Agent.Options): Promise<HttpAgent> {
  const { default: OneAgent } = await import(agentPart)
  return new OneAgent(options)
}

/** Opens a keep-alive HTTP agent with streamed responses, for bodies that are endless or may exceed memory. */
export async function openStreamingAgent(options: Agent.Options): Promise<HttpAgent & Pick<Agent, 'request'>> {
  const [agent, requests] = await Promise.all([openHttpAgent(options), import(requestPart)])
  // The library adds its functions to the prototype only when loaded as a whole.
  return Object.assign(agent, { request: requests.default as Agent['request'] })
}

// In a variable, because the library has types only for the whole package.
const agentPart: string = 'undici/lib/dispatcher/agent.js'
const requestPart: string = 'undici/lib/api/api-request.js'
