import { h } from './dom.ts'
import { words } from './messages.ts'
import type { GameName, RoadItem } from './views.ts'

/** Roads: past results in the notation of players. Columns are filled from the top, six to a column. */

const rows = 6

/** A bead: the winner in its color, with a corner for a pair. */
interface Bead {
  readonly side: string
  readonly text: string
  readonly corners: readonly string[]
}

function beadOf(game: GameName, { code, isVoid }: RoadItem): Bead | null {
  if (isVoid || code === null) return null
  const { marks } = words()
  if (game === 'baccarat') {
    const bits = Number.parseInt(code, 16)
    const side = (['tie', 'banker', 'player', 'banker'] as const)[bits & 3] ?? 'tie'
    const corners = [...(bits & 4 ? ['banker'] : []), ...(bits & 8 ? ['player'] : [])]
    return { side, text: marks[side], corners }
  }
  const side = code === '1' ? 'dragon' : code === '2' ? 'tiger' : 'tie'
  return { side, text: marks[side], corners: code === 'C' ? ['tie'] : [] }
}

/** Returns the bead plate of a table, or for Niu Niu a line per hand. `null` without a common result. */
export function roadOf(game: GameName, road: readonly RoadItem[], columns: number): HTMLElement | null {
  if (game === 'holdem') return null
  if (game === 'niuniu') return niuRoad(road, columns)
  const beads = road.flatMap((item) => beadOf(game, item) ?? [])
  const visibleBeads = beads.slice(-(rows * columns) + ((rows - (beads.length % rows)) % rows))
  const counts = new Map<string, number>()
  for (const bead of beads) counts.set(bead.side, (counts.get(bead.side) ?? 0) + 1)
  const plate = h('div.plate', { '--columns': columns, role: 'img', 'aria-label': summary(game, counts) })
  for (const bead of visibleBeads) {
    const element = h('span.bead', { 'data-side': bead.side }, bead.text)
    for (const corner of bead.corners) element.append(h('i', { 'data-side': corner }))
    plate.append(element)
  }
  return plate
}

function summary(game: GameName, counts: ReadonlyMap<string, number>): string {
  const { zones } = words()
  const sides = game === 'baccarat' ? { B: 'banker', P: 'player', T: 'tie' } : { D: 'dragon', TG: 'tiger', T: 'tie' }
  return Object.entries(sides)
    .map(([zone, side]) => `${zones[zone]} ${counts.get(side) ?? 0}`)
    .join(', ')
}

/** Returns the number of wins of each side. */
export function tally(game: GameName, road: readonly RoadItem[]): HTMLElement | null {
  if (game === 'holdem' || game === 'niuniu') return null
  const sides = game === 'baccarat' ? ['banker', 'player', 'tie'] : ['dragon', 'tiger', 'tie']
  const beads = road.flatMap((item) => beadOf(game, item) ?? [])
  return h(
    'p.tally',
    { 'aria-hidden': 'true' },
    ...sides.map((side) => h('span', { 'data-side': side }, String(beads.filter((bead) => bead.side === side).length))),
  )
}

/** Returns the big road: a new column with every change of side; ties are a stroke through the previous result. */
export function bigRoad(game: GameName, road: readonly RoadItem[], columns: number): HTMLElement | null {
  if (game !== 'baccarat' && game !== 'dragontiger') return null
  const runs: { side: string; ties: number }[][] = []
  for (const bead of road.flatMap((item) => beadOf(game, item) ?? [])) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (bead.side === 'tie') {
      if (last) last.ties += 1
    } else if (run && last?.side === bead.side) run.push({ side: bead.side, ties: 0 })
    else runs.push([{ side: bead.side, ties: 0 }])
  }
  const element = h('div.bigroad', { '--columns': columns, 'aria-hidden': 'true' })
  for (const [column, run] of runs.slice(-columns).entries())
    for (const [row, { side, ties }] of run.slice(0, rows).entries())
      element.append(
        h('span', { 'data-side': side, 'data-ties': ties > 0 ? ties : null, '--column': column + 1, '--row': row + 1 }),
      )
  return element
}

/** Niu Niu: returns a line per player hand with its wins, latest on the right. */
function niuRoad(road: readonly RoadItem[], columns: number): HTMLElement {
  const { zones } = words()
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
