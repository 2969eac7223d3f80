/**
 * Roads of a shoe: past results in the notation of players, for baccarat and dragon tiger. The player's page loads this
 * file too, so it imports nothing.
 */

/** Sides that can win. In the derived roads the banker and the dragon have the same role. */
export type Winner = 'banker' | 'player' | 'dragon' | 'tiger'
export type Side = Winner | 'tie'

/** A round that counts for the roads. */
export interface RoadResult {
  readonly side: Side
  /** Baccarat: the hands that were a pair. */
  readonly pairs: readonly ('banker' | 'player')[]
  /** Dragon tiger: a tie of one suit. */
  readonly isSuited: boolean
  /** Baccarat: a hand of eight or nine with two cards. */
  readonly isNatural: boolean
}

/** Number of rows of every road. */
export const roadRows = 6

export type RoadGame = 'baccarat' | 'dragontiger'

/** The two sides of a game, the one whose derived marks are listed first being first. */
export const sidesOf = {
  baccarat: ['banker', 'player'],
  dragontiger: ['dragon', 'tiger'],
} as const satisfies Record<RoadGame, readonly [Winner, Winner]>

const baccaratSides = ['tie', 'banker', 'player', 'banker'] as const
const dragonTigerSides: Readonly<Record<string, Side>> = { 1: 'dragon', 2: 'tiger', 4: 'tie', C: 'tie' }

/** Reads the code of a round. Returns `null` for a code that the game does not have. */
export function roadResult(game: RoadGame, code: string, isNatural = false): RoadResult | null {
  if (game === 'dragontiger') {
    const side = dragonTigerSides[code]
    return side === undefined ? null : { side, pairs: [], isSuited: code === 'C', isNatural: false }
  }
  if (!/^[0-9A-F]$/.test(code)) return null
  const bits = Number.parseInt(code, 16)
  const pairs = [...(bits & 4 ? (['banker'] as const) : []), ...(bits & 8 ? (['player'] as const) : [])]
  return { side: baccaratSides[bits & 3] ?? 'tie', pairs, isSuited: false, isNatural }
}

/** A cell of a road, both from 0. */
export interface RoadCell {
  readonly column: number
  readonly row: number
}

/** A mark of the big road, with the ties since. Ties before the first winner are on the first mark. */
export interface BigMark extends RoadCell {
  /** `tie` only while the shoe has nothing but ties. */
  readonly side: Side
  readonly ties: number
  readonly pairs: RoadResult['pairs']
}

/** Marks of the derived roads, by their usual colors: red repeats, blue changes. */
export type Color = 'red' | 'blue'

/** Distance in columns at which each derived road compares. */
export const derivedRoads = { bigEye: 1, small: 2, cockroach: 3 } as const
export type DerivedRoad = keyof typeof derivedRoads

/** Returns the big road. A streak that finds no free cell below turns right and stays in its row: the dragon tail. */
export function bigRoad(results: readonly RoadResult[]): BigMark[] {
  const marks: { side: Side; ties: number; pairs: RoadResult['pairs'] }[] = []
  for (const { side, pairs } of results) {
    const last = marks.at(-1)
    if (side === 'tie') {
      if (last) last.ties += 1
      else marks.push({ side, ties: 1, pairs: [] })
    } else if (last?.side === 'tie') Object.assign(last, { side, pairs })
    else marks.push({ side, ties: 0, pairs })
  }
  const cells = cellsOf(marks.map(({ side }) => side))
  return marks.map((mark, i) => ({ ...mark, ...(cells[i] ?? { column: 0, row: 0 }) }))
}

/** Places marks in columns of equal ones, top down. Used for the big road and for the derived roads. */
export function cellsOf(kinds: readonly string[]): RoadCell[] {
  const taken = new Set<string>()
  const isFree = ({ column, row }: RoadCell) => row < roadRows && !taken.has(`${column}/${row}`)
  const cells: RoadCell[] = []
  let start = -1
  let hasTurned = false
  let last: RoadCell | undefined
  for (const [i, kind] of kinds.entries()) {
    let cell: RoadCell
    if (last && kinds[i - 1] === kind) {
      const below: RoadCell = { column: last.column, row: last.row + 1 }
      hasTurned ||= !isFree(below)
      cell = hasTurned ? { column: last.column + 1, row: last.row } : below
    } else {
      do start += 1
      while (!isFree({ column: start, row: 0 }))
      cell = { column: start, row: 0 }
      hasTurned = false
    }
    taken.add(`${cell.column}/${cell.row}`)
    cells.push(cell)
    last = cell
  }
  return cells
}

/** Lengths of the streaks, in order. Ties end no streak. */
function streaksOf(results: readonly RoadResult[]): number[] {
  const lengths: number[] = []
  let before: Side | undefined
  for (const { side } of results) {
    if (side === 'tie') continue
    if (side === before) lengths.push((lengths.pop() ?? 0) + 1)
    else lengths.push(1)
    before = side
  }
  return lengths
}

/**
 * Returns a derived road. It looks at the streaks and not at the drawn cells, so a dragon tail changes nothing. A new
 * streak is red if the two streaks before it, `gap` apart, have the same length. A later win of a streak is blue if the
 * streak `gap` before ended with the win above it.
 */
export function derivedRoad(results: readonly RoadResult[], road: DerivedRoad): Color[] {
  const gap = derivedRoads[road]
  const lengths = streaksOf(results)
  const lengthAt = (streak: number) => lengths[streak] ?? 0
  return lengths.flatMap((length, streak) =>
    Array.from({ length }, (_, row): Color | null => {
      if (streak < gap || (streak === gap && row === 0)) return null
      if (row === 0) return lengthAt(streak - 1) === lengthAt(streak - 1 - gap) ? 'red' : 'blue'
      return lengthAt(streak - gap) === row ? 'blue' : 'red'
    }).filter((color) => color !== null),
  )
}

export type NextMarks = Readonly<Record<DerivedRoad, Color | null>>

/** Returns the mark that a win of the side would add to each derived road; `null` where the road has not begun. */
export function nextMarks(results: readonly RoadResult[], side: Winner): NextMarks {
  const after = [...results, { side, pairs: [], isSuited: false, isNatural: false }]
  const next = (road: DerivedRoad) => {
    const marks = derivedRoad(after, road)
    return marks.length > derivedRoad(results, road).length ? (marks.at(-1) ?? null) : null
  }
  return { bigEye: next('bigEye'), small: next('small'), cockroach: next('cockroach') }
}

/** Counts of a shoe. */
export interface ShoeCounts {
  readonly rounds: number
  readonly sides: Readonly<Record<Side, number>>
  readonly pairs: Readonly<Record<'banker' | 'player', number>>
  readonly suitedTies: number
  readonly naturals: number
}

export function shoeCounts(results: readonly RoadResult[]): ShoeCounts {
  const count = (is: (result: RoadResult) => boolean) => results.filter(is).length
  const wins = (side: Side) => count((result) => result.side === side)
  return {
    rounds: results.length,
    sides: {
      banker: wins('banker'),
      player: wins('player'),
      dragon: wins('dragon'),
      tiger: wins('tiger'),
      tie: wins('tie'),
    },
    pairs: {
      banker: count(({ pairs }) => pairs.includes('banker')),
      player: count(({ pairs }) => pairs.includes('player')),
    },
    suitedTies: count(({ isSuited }) => isSuited),
    naturals: count(({ isNatural }) => isNatural),
  }
}
