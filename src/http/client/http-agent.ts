import type { Agent } from 'undici'

/**
 * Connections that are kept open and used again, with the one call that is made on them. Loaded part by part: the library as
 * a whole is five times as many modules, and a command that asks one thing would wait for all of them.
 */
export async function openHttpAgent(options: Agent.Options): Promise<Pick<Agent, 'request' | 'close' | 'destroy'>> {
  const [agents, requests] = await Promise.all([import(agentPart), import(requestPart)])
  const agent: Agent = new agents.default(options)
  // The library puts its calls on the prototype where it is loaded whole.
  return Object.assign(agent, { request: requests.default as Agent['request'] })
}

// Named apart, since the library describes its types as a whole only.
const agentPart: string = 'undici/lib/dispatcher/agent.js'
const requestPart: string = 'undici/lib/api/api-request.js'
