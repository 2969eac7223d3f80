import { nearest } from '../../kit/nearest.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import type { TicketAgent, TicketsApi } from './tickets-api.ts'

/** Finds an agent by name, ID, `me` or `none`; `none` gives `null`. */
export async function agentFrom(
  said: string,
  ticketsApi: Pick<TicketsApi, 'me' | 'agents'>,
): Promise<TicketAgent | null> {
  if (said === 'none') return null
  if (said === 'me') {
    const me = await ticketsApi.me()
    if (me) return me
    throw new Problem('INVALID_USAGE', 'The profile has no agent, so "me" is unknown: pass an agent name or ID')
  }
  const agents = await ticketsApi.agents()
  // An instance that lists no agents still validates the ID itself.
  if (agents === undefined) return { agentId: said, displayName: said }
  const byId = agents.find(({ agentId }) => agentId === said)
  if (byId) return byId
  const alike = agents.filter(({ displayName }) => displayName.toLowerCase() === said.trim().toLowerCase())
  const [one] = alike
  if (one && alike.length === 1) return one
  throw alike.length > 1 ? ambiguous(said, alike) : noAgent(said, agents)
}

/** Like `agentNamed`, for a filter: an unknown ID is allowed, because a former agent can still have tickets and rooms. */
export async function listedAgent(
  said: string,
  ticketsApi: Pick<TicketsApi, 'me' | 'agents'>,
): Promise<TicketAgent | null | Problem> {
  return agentFrom(said, ticketsApi).catch((error: unknown) => {
    if (isProblem(error, 'AGENT_NOT_FOUND')) return error
    throw error
  })
}

function ambiguous(said: string, alike: readonly TicketAgent[]): Problem {
  const ids = alike.map(({ agentId }) => agentId)
  return new Problem('INVALID_USAGE', `${alike.length} agents have the name ${said}; use an ID: ${ids.join(', ')}`, {
    agents: alike,
  })
}

function noAgent(said: string, agents: readonly TicketAgent[]): Problem {
  const names = agents.map(({ displayName }) => displayName)
  const near = nearest(said, names, 1)[0]
  const hint = near === undefined ? `available: ${names.slice(0, 20).join(', ')}` : `did you mean ${near}?`
  return new Problem('AGENT_NOT_FOUND', `Agent ${said} not found; ${hint}`, {
    agent: said,
    nearest: near,
    remoteCode: null,
  })
}
