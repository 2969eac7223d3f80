import type { Agent } from 'undici'

/**
 * Opens a keep-alive HTTP agent with its one request function. Loaded in parts: the whole library has five times as
 * many modules, which would delay commands with a single request.
 */
export async function openHttpAgent(options: Agent.Options): Promise<Pick<Agent, 'request' | 'close' | 'destroy'>> {
  const [agents, requests] = await Promise.all([import(agentPart), import(requestPart)])
  const agent: Agent = new agents.default(options)
  // The library adds its functions to the prototype only when loaded as a whole.
  return Object.assign(agent, { request: requests.default as Agent['request'] })
}

// In a variable, because the library has types only for the whole package.
const agentPart: string = 'undici/lib/dispatcher/agent.js'
const requestPart: string = 'undici/lib/api/api-request.js'
