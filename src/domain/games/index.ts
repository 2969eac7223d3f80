/** The closed list of games. A new one is its file, its line here, and its table of worked slips. */
import { baccarat } from './baccarat.ts'
import { dragonTiger } from './dragon-tiger.ts'
import type { Game, GameName } from './game.ts'

export const games = { baccarat, dragontiger: dragonTiger } as const satisfies { readonly [name in GameName]?: Game }

/** The game of that name, where it is dealt. */
export function gameOf(name: GameName): Game | undefined {
  const all: { readonly [known in GameName]?: Game } = games
  return all[name]
}
