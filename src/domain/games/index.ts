/** All games. A new game needs its file, its line here, and its table of worked slips. */
import { baccarat } from './baccarat.ts'
import { dragonTiger } from './dragon-tiger.ts'
import type { Game, GameName } from './game.ts'
import { holdem } from './holdem/holdem.ts'
import { niuniu } from './niuniu.ts'

export const games: { readonly [name in GameName]: Game } = { baccarat, dragontiger: dragonTiger, holdem, niuniu }
