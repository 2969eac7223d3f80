import type { Client } from '../../http/contract/contract.ts'
import { nearest } from '../../kit/nearest.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import type { casino as casinoContract } from '../../services/casino/api/contract.ts'
import type { Player } from '../../services/casino/api/schemas/index.ts'
import type { Paths } from '../../world/config/paths.ts'
import { knownNames, rememberNames } from '../framework/completion.ts'
import type { Shapes } from '../outcome/result-schema.ts'

type Casino = Client<typeof casinoContract>

/** Returns the player of that name, or undefined. Stores the name for completion. */
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

/** Returns the player of that name, or throws PLAYER_NOT_FOUND with similar names. */
export async function thePlayer(casino: Casino, paths: Paths, username: string): Promise<Player> {
  const player = await findPlayer(casino, paths, username)
  if (player === undefined) throw noPlayer(paths, username)
  return player
}

/** Creates the PLAYER_NOT_FOUND problem with similar names seen before. `more` is a sentence to append to the message. */
export function noPlayer(paths: Paths, username: string, more = ''): Problem {
  // Names of other tenants are known too, so the name itself can be among them.
  const near = nearest(
    username,
    knownNames(paths, 'users').filter((name) => name !== username),
  )
  const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''
  const notFoundText = `Player ${username} not found${hint}`
  const message = more === '' ? notFoundText : `${notFoundText}${hint === '' ? '.' : ''} ${more}`
  return new Problem('PLAYER_NOT_FOUND', message, { username, nearest: near })
}

/** Adds similar names to a PLAYER_NOT_FOUND problem; returns other errors unchanged. */
export function withNearNames(error: unknown, paths: Paths, username: string): unknown {
  return isProblem(error, 'PLAYER_NOT_FOUND') ? noPlayer(paths, username) : error
}

/** Returns the API's schema of a player. */
export function playerSchema({ casino }: Shapes) {
  return casino.Player
}
