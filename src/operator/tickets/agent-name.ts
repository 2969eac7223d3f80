import { nearest } from '../../kit/nearest.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import type { TicketAgent, TicketsApi } from './tickets-api.ts'

/** Finds an agent by name, ID, `me` or `none`; `none` gives `null`. */
export async function agentFrom(
  nameOrId: string,
  ticketsApi: Pick<TicketsApi, 'me' | 'agents'>,
): Promise<TicketAgent | null> {
  if (nameOrId === 'none') return null
  if (nameOrId === 'me') {
    const me = await ticketsApi.me()
    if (me) return me
    throw new Problem('INVALID_USAGE', 'The profile has no agent, so "me" is unknown: pass an agent name or ID')
  }
  const agents = await ticketsApi.agents()
  // An instance that lists no agents still validates the ID itself.
  if (agents === undefined) return { agentId: nameOrId, displayName: nameOrId }
  const byId = agents.find(({ agentId }) => agentId === nameOrId)
  if (byId) return byId
  const matches = agents.filter(({ displayName }) => displayName.toLowerCase() === nameOrId.trim().toLowerCase())
  const [one] = matches
  if (one && matches.length === 1) return one
  throw matches.length > 1 ? ambiguous(nameOrId, matches) : noAgent(nameOrId, agents)
}

/**
 * Same as `agentFrom`, for a filter. Returns the problem of an unknown ID, because a former agent can still have
 * tickets and rooms.
 */
export async function listedAgent(
  nameOrId: string,
  ticketsApi: Pick<TicketsApi, 'me' | 'agents'>,
): Promise<TicketAgent | null | Problem> {
  return agentFrom(nameOrId, ticketsApi).catch((error: unknown) => {
    if (isProblem(error, 'AGENT_NOT_FOUND')) return error
    throw error
  })
}

function ambiguous(nameOrId: string, matches: readonly TicketAgent[]): Problem {
  const ids = matches.map(({ agentId }) => agentId)
  return new Problem(
    'INVALID_USAGE',
    `${matches.length} agents have the name ${nameOrId}; use an ID: ${ids.join(', ')}`,
    {
      agents: matches,
    },
  )
}

function noAgent(nameOrId: string, agents: readonly TicketAgent[]): Problem {
  const names = agents.map(({ displayName }) => displayName)
  const near = nearest(nameOrId, names, 1)[0]
  const hint = near === undefined ? `available: ${names.slice(0, 20).join(', ')}` : `did you mean ${near}?`
  return new Problem('AGENT_NOT_FOUND', `Agent ${nameOrId} not found; ${hint}`, {
    agent: nameOrId,
    nearest: near,
    remoteCode: null,
  })
}
