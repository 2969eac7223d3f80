import {
  type BigMark,
  bigRoad,
  type Color,
  cellsOf,
  type DerivedRoad,
  derivedRoad,
  derivedRoads,
  nextMarks,
  type RoadCell,
  type RoadGame,
  type RoadResult,
  shoeCounts,
  sidesOf,
} from '../../../../../domain/games/roads.ts'
import { h } from '../dom.ts'
import { formatText, strings } from '../messages.ts'
import type { RoadItem } from '../views.ts'
import { beadPlate, resultsOf, zonesOfSides } from './beads.ts'

/** Columns of each road; older ones are not drawn. */
const columnsOf = { bead: 14, big: 24, bigEye: 32, small: 16, cockroach: 16 } as const
/** Number of marks of a derived road that its text names. */
const spokenMarks = 12

const names = Object.keys(derivedRoads) as DerivedRoad[]

/** Returns all roads of a shoe, its counts, and what a win of each side would add. */
export function roadsPanel(game: RoadGame, road: readonly RoadItem[]): HTMLElement[] {
  const { roads } = strings()
  const results = resultsOf(game, road)
  const marks = bigRoad(results)
  const derived = names.map((name) => derivedOf(name, derivedRoad(results, name)))
  const titled = (name: keyof typeof columnsOf, element: HTMLElement) =>
    h('figure', { 'data-road': name }, h('figcaption', {}, roads[name]), element)
  return [
    counts(game, results),
    titled('bead', beadPlate(game, results, columnsOf.bead)),
    titled('big', grid(columnsOf.big, marks, spoken(marks), bigMark)),
    h('div.derived', {}, ...names.map((name, i) => derived[i] && titled(name, derived[i]))),
    next(game, results),
  ]
}

/** Draws the last columns of a road. */
function grid<T extends RoadCell>(
  columns: number,
  marks: readonly T[],
  text: string,
  draw: (mark: T) => HTMLElement,
): HTMLElement {
  const width = marks.reduce((most, { column }) => Math.max(most, column + 1), 0)
  const skipped = Math.max(0, width - columns)
  const element = h('div.bigroad', { '--columns': columns, role: 'img', 'aria-label': text })
  for (const mark of marks) {
    if (mark.column < skipped) continue
    const drawn = draw(mark)
    drawn.style.setProperty('grid-area', `${mark.row + 1} / ${mark.column - skipped + 1}`)
    element.append(drawn)
  }
  return element
}

function bigMark({ side, ties, pairs }: BigMark): HTMLElement {
  const corners = pairs.map((pair) => h('i', { 'data-side': pair }))
  return h('span', { 'data-side': side, 'data-ties': ties > 0 ? ties : null }, ...corners)
}

function derivedOf(name: DerivedRoad, colors: readonly Color[]): HTMLElement {
  const cells = cellsOf(colors)
  const marks = colors.map((color, i) => ({ color, ...(cells[i] ?? { column: 0, row: 0 }) }))
  const latest = colors.slice(-spokenMarks).map((color) => strings().roads[color])
  return grid(columnsOf[name], marks, latest.join(', ') || strings().roads.none, ({ color }) =>
    h('span', { 'data-color': color }),
  )
}

/** Returns the streaks of the big road as text: `Banker 3, Player 1, Banker 2`. */
function spoken(marks: readonly BigMark[]): string {
  const { zones, roads } = strings()
  const streaks: { side: BigMark['side']; wins: number; ties: number }[] = []
  for (const { side, ties } of marks) {
    const last = streaks.at(-1)
    if (last?.side === side) {
      last.wins += 1
      last.ties += ties
    } else streaks.push({ side, wins: side === 'tie' ? 0 : 1, ties })
  }
  const text = streaks.map(({ side, wins, ties }) =>
    [wins > 0 && `${zones[zonesOfSides[side]]} ${wins}`, ties > 0 && `${zones['T']} ${ties}`]
      .filter(Boolean)
      .join(' + '),
  )
  return text.join(', ') || roads.none
}

/** Returns the counts of the shoe. */
function counts(game: RoadGame, results: readonly RoadResult[]): HTMLElement {
  const { zones, roads } = strings()
  const { rounds, sides, pairs, suitedTies, naturals } = shoeCounts(results)
  const sideRows = [...sidesOf[game], 'tie' as const].map(
    (side) => [side, zones[zonesOfSides[side]] ?? '', sides[side]] as const,
  )
  const rows =
    game === 'baccarat'
      ? ([
          ...sideRows,
          ['banker', zones['BP'] ?? '', pairs.banker],
          ['player', zones['PP'] ?? '', pairs.player],
          ['', roads.naturals, naturals],
        ] as const)
      : ([...sideRows, ['tie', zones['ST'] ?? '', suitedTies]] as const)
  return h(
    'dl.counts',
    {},
    ...[...rows, ['', roads.rounds, rounds] as const].map(([side, name, count]) =>
      h('div', { 'data-side': side === '' ? null : side }, h('dt', {}, name), h('dd', {}, String(count))),
    ),
  )
}

/** Returns the marks that a win of each side would add to the derived roads. */
function next(game: RoadGame, results: readonly RoadResult[]): HTMLElement {
  const { zones, roads } = strings()
  return h(
    'ul.next',
    {},
    ...sidesOf[game].map((side) => {
      const marks = nextMarks(results, side)
      const text = names.map((name) => `${roads[name]} ${roads[marks[name] ?? 'none']}`).join(', ')
      return h(
        'li',
        { 'data-side': side },
        h('b', {}, formatText(roads.next, zones[zonesOfSides[side]] ?? '')),
        h('span.hidden', {}, `: ${text}`),
        ...names.map((name) => h('span.mark', { 'aria-hidden': 'true', 'data-road': name, 'data-color': marks[name] })),
      )
    }),
  )
}
