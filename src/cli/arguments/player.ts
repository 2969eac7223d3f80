import type { Client } from '../../http/contract/contract.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import type { casino as casinoContract } from '../../services/casino/api/contract.ts'
import type { Player } from '../../services/casino/api/schemas/index.ts'
import type { Paths } from '../../world/config/config.ts'
import { nearest } from '../../world/config/did-you-mean.ts'
import { knownNames, rememberNames } from '../framework/completion.ts'

type Casino = Client<typeof casinoContract>

/** The player of that name; nothing where there is none. Keeps the name for completion. */
export async function findPlayer(casino: Casino, paths: Paths, username: string): Promise<Player | undefined> {
  try {
    const player = await casino.player({ query: { username } })
    rememberNames(paths, 'users', [player.username])
    return player
  } catch (error) {
    if (isProblem(error, 'PLAYER_NOT_FOUND')) return undefined
    throw error
  }
}

/** The same where there must be one: PLAYER_NOT_FOUND names those that may have been meant. */
export async function thePlayer(casino: Casino, paths: Paths, username: string): Promise<Player> {
  const player = await findPlayer(casino, paths, username)
  if (player === undefined) throw noPlayer(paths, username)
  return player
}

/** That there is no such player, and which names seen before come near. `more` says what can be done about it. */
export function noPlayer(paths: Paths, username: string, more = ''): Problem {
  const near = nearest(username, knownNames(paths, 'users'))
  const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''
  return new Problem('PLAYER_NOT_FOUND', `There is no player ${username}${hint}${more}`, { username, nearest: near })
}

/** A refusal of a call about a player, with the names that may have been meant where there was none. */
export function withNearNames(error: unknown, paths: Paths, username: string): unknown {
  return isProblem(error, 'PLAYER_NOT_FOUND') ? noPlayer(paths, username) : error
}

/** The schema of a player as the API gives it. */
export async function playerSchema() {
  const { Player } = await import('../../services/casino/api/schemas/index.ts')
  return Player
}
