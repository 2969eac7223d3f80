import {
  type RoadGame,
  type RoadResult,
  roadResult,
  roadRows,
  shoeCounts,
  sidesOf,
} from '../../../../../domain/games/roads.ts'
import { h } from '../dom.ts'
import { strings } from '../messages.ts'
import type { GameName, RoadItem } from '../views.ts'

/** The bead plate: past results in the notation of players. Columns are filled from the top, six to a column. */

export function hasRoads(game: GameName): game is RoadGame {
  return game === 'baccarat' || game === 'dragontiger'
}

/** Returns the rounds that count for the roads, oldest first. */
export function resultsOf(game: RoadGame, road: readonly RoadItem[]): RoadResult[] {
  return road.flatMap(({ code, isVoid, isNatural }) =>
    isVoid || code === null ? [] : (roadResult(game, code, isNatural) ?? []),
  )
}

/** Zones with the names of the sides. */
export const zonesOfSides = { banker: 'B', player: 'P', dragon: 'D', tiger: 'TG', tie: 'T' } as const

/** Returns the bead plate of a table, or for Niu Niu a line per hand. `null` without a common result. */
export function roadOf(game: GameName, road: readonly RoadItem[], columns: number): HTMLElement | null {
  if (game === 'niuniu') return niuRoad(road, columns)
  return hasRoads(game) ? beadPlate(game, resultsOf(game, road), columns) : null
}

/** Returns the bead plate with the latest results: the winner in its color, with a corner for a pair. */
export function beadPlate(game: RoadGame, results: readonly RoadResult[], columns: number): HTMLElement {
  const { marks } = strings()
  const visible = results.slice(-(roadRows * columns) + ((roadRows - (results.length % roadRows)) % roadRows))
  const plate = h('div.plate', { '--columns': columns, role: 'img', 'aria-label': summary(game, results) })
  for (const { side, pairs, isSuited } of visible) {
    const element = h('span.bead', { 'data-side': side }, marks[side])
    for (const corner of [...pairs, ...(isSuited ? ['tie'] : [])]) element.append(h('i', { 'data-side': corner }))
    plate.append(element)
  }
  return plate
}

function summary(game: RoadGame, results: readonly RoadResult[]): string {
  const { sides } = shoeCounts(results)
  return [...sidesOf[game], 'tie' as const]
    .map((side) => `${strings().zones[zonesOfSides[side]]} ${sides[side]}`)
    .join(', ')
}

/** Returns the number of wins of each side. */
export function tally(game: GameName, road: readonly RoadItem[]): HTMLElement | null {
  if (!hasRoads(game)) return null
  const { sides } = shoeCounts(resultsOf(game, road))
  return h(
    'p.tally',
    { 'aria-hidden': 'true' },
    ...[...sidesOf[game], 'tie' as const].map((side) => h('span', { 'data-side': side }, String(sides[side]))),
  )
}

/** Niu Niu: returns a line per player hand with its wins, latest on the right. */
function niuRoad(road: readonly RoadItem[], columns: number): HTMLElement {
  const { zones } = strings()
  const codes = road.flatMap(({ code, isVoid }) => (isVoid || code === null ? [] : [code])).slice(-columns)
  const lines = ['P1', 'P2', 'P3'].map((hand, i) => {
    const line = h('div.line', {}, h('b', {}, String(i + 1)))
    for (const code of codes) {
      const isWon = (Number(code.charAt(0)) & (1 << i)) !== 0
      line.append(h('span', { 'data-side': isWon ? 'player' : 'banker' }, rankMark(code.charAt(i + 2))))
    }
    line.setAttribute('role', 'img')
    line.setAttribute('aria-label', zones[hand] ?? hand)
    return line
  })
  return h('div.niuroad', { '--columns': columns }, ...lines)
}

const rankMark = (code: string) => ({ A: 'N', B: '5F', C: '4', D: '5S', '-': '?' })[code] ?? code
