import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { naturalIn } from '../../../src/domain/games/baccarat.ts'
import {
  type BigMark,
  bigRoad,
  type Color,
  cellsOf,
  type DerivedRoad,
  derivedRoad,
  derivedRoads,
  nextMarks,
  type RoadResult,
  roadResult,
  roadRows,
  shoeCounts,
  sidesOf,
  type Winner,
} from '../../../src/domain/games/roads.ts'

const letters: Readonly<Record<string, RoadResult['side']>> = { B: 'banker', P: 'player', T: 'tie' }
/** Reads a shoe from a letter per round. */
const shoe = (text: string): RoadResult[] =>
  [...text].map((letter) => ({ side: letters[letter] ?? 'tie', pairs: [], isSuited: false, isNatural: false }))
const initials = (colors: readonly Color[]) => colors.map((color) => color.charAt(0)).join('')
const derived = (text: string, road: DerivedRoad) => initials(derivedRoad(shoe(text), road))
const roads: readonly DerivedRoad[] = ['bigEye', 'small', 'cockroach']

describe('the bead plate reads the codes of rounds', () => {
  test('baccarat: the winner in the low bits, then the pairs', () => {
    const read = [...'0123456789ABCDEF'].map((code) => roadResult('baccarat', code))
    expect(read.map((result) => result?.side.charAt(0)).join('')).toBe('tbpbtbpbtbpbtbpb')
    expect(read.map((result) => result?.pairs.length)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2])
    expect(roadResult('baccarat', '5')?.pairs).toEqual(['banker'])
    expect(roadResult('baccarat', 'A')?.pairs).toEqual(['player'])
    expect(['', 'G', '10', 'f'].map((code) => roadResult('baccarat', code))).toEqual([null, null, null, null])
  })

  test('dragon tiger: 1, 2, 4, and C for a suited tie', () => {
    const read = ['1', '2', '4', 'C'].map((code) => roadResult('dragontiger', code))
    expect(read.map((result) => result?.side)).toEqual(['dragon', 'tiger', 'tie', 'tie'])
    expect(read.map((result) => result?.isSuited)).toEqual([false, false, false, true])
    expect(roadResult('dragontiger', '3')).toBeNull()
  })

  test('a natural is eight or nine with two cards; without cards it is unknown', () => {
    expect(naturalIn('4S2H4DKC----')).toBe(true)
    expect(naturalIn('KS2H6DQCAS2C')).toBe(false)
    // Both stand with six and seven: no third card, and no natural.
    expect(naturalIn('KS2H6D5C----')).toBe(false)
    expect(naturalIn(null)).toBe(false)
    for (const cards of ['8S', '8S2H', '8S2HKD']) expect(naturalIn(cards)).toBe(false)
  })
})

test('the sides of a game are listed with the one first whose marks are', () => {
  expect(sidesOf).toEqual({ baccarat: ['banker', 'player'], dragontiger: ['dragon', 'tiger'] })
})

const drawn = (marks: readonly BigMark[]) =>
  marks.map(({ side, column, row, ties }) => `${side.charAt(0)}${column}.${row}${ties > 0 ? `+${ties}` : ''}`).join(' ')

describe('the big road', () => {
  // Examples of the tests of the open library baccarat-engine, in a notation of our own.
  test.each([
    ['BBPTPB', 'b0.0 b0.1 p1.0+1 p1.1 b2.0'],
    ['', ''],
    ['TT', 't0.0+2'],
    ['TTB', 'b0.0+2'],
    // A second dragon turns where the tail of the first is below it.
    ['BBBBBBBBBPPPPPPPP', 'b0.0 b0.1 b0.2 b0.3 b0.4 b0.5 b1.5 b2.5 b3.5 p1.0 p1.1 p1.2 p1.3 p1.4 p2.4 p3.4 p4.4'],
  ])('%s', (text, expected) => {
    expect(drawn(bigRoad(shoe(text)))).toBe(expected)
  })

  test('a tail stays in its row, also beyond the tail below it', () => {
    expect(drawn(bigRoad(shoe('BBBBBBBPPPPPPPP')).slice(7))).toBe('p1.0 p1.1 p1.2 p1.3 p1.4 p2.4 p3.4 p4.4')
  })

  test('ties before the first winner stay on its mark, and later ones are counted on theirs', () => {
    expect(drawn(bigRoad(shoe('TBTTBPT')))).toBe('b0.0+3 b0.1 p1.0+1')
  })

  test('a mark has the pairs of its round', () => {
    const results = ['5', 'A', '0'].map((code) => roadResult('baccarat', code)).filter((result) => result !== null)
    expect(bigRoad(results).map(({ pairs, ties }) => [...pairs, ties])).toEqual([
      ['banker', 0],
      ['player', 1],
    ])
  })

  test('six tails one above the other leave no cell that two marks share', () => {
    const text = [...'BPBPBPBPBP'].map((letter) => letter.repeat(12)).join('')
    const cells = bigRoad(shoe(text)).map(({ column, row }) => `${column}.${row}`)
    expect(cells).toHaveLength(120)
    expect(new Set(cells).size).toBe(120)
    // The sixth has the tail of the fifth below its first mark, and the seventh begins behind the tail of the sixth.
    const begun = cells.filter((_, i) => i % 12 === 0)
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 17, 18, 19, 20].map((column) => `${column}.0`))
  })
})

describe('derived roads', () => {
  // Shoes with the end of their big eye boy as baccarat-engine publishes it. It begins the road one column late, and joins
  // columns after some ties, so its other examples do not follow the rulebooks.
  test.each([
    [
      'PPBBPBPPPTPPTBPPBBTPPPPPPPBBBPPTTPPBPPPTPPBBTPPBTPBPPPBPBBTPPPPPPBBPBBBBBTPBPBPBBBPBBPPPBTBBBBBBPBPB',
      'rrbrbbbbrbbrrbrrrbbrr',
    ],
    [
      'PTPBTBBTPPPBPBTBPPPPPPPPBBPBTBTBBPPPTPPPBBBBPBBBPPPPBPBPTPBBPBBBBPBPPPPPPPBPBBBBBBBPPBBPTPBPPPBPPPPB',
      'brbrrrrrbrbrrrrbbrbbbrrb',
    ],
    ['BPPPB', 'b'],
    ['BBPPB', 'r'],
    ['P', ''],
    ['', ''],
  ])('%s', (text, end) => {
    const road = derived(text, 'bigEye')
    expect(road.slice(road.length - end.length)).toBe(end)
  })

  // The cells at which rulebooks of studios begin each road: the second mark of a column, otherwise the top of the next.
  test.each([
    ['bigEye', 'BPP', 'BPB'],
    ['small', 'BPBB', 'BPBP'],
    ['cockroach', 'BPBPP', 'BPBPB'],
  ] as const)('%s begins with %s or %s, and not before', (road, second, next) => {
    for (const text of [second, next]) {
      expect(derived(text, road)).toHaveLength(1)
      expect(derived(text.slice(0, -1), road)).toBe('')
    }
  })

  // The four rules as rulebooks state them, for the big eye boy.
  test.each([
    ['a column after two of equal length', 'BBPPB', 'rr'],
    ['a column after two of unequal length', 'BBPPPB', 'rbb'],
    ['a mark with a neighbor to its left', 'BBPP', 'r'],
    ['the first mark below the end of the column to its left', 'BPP', 'b'],
    ['a mark further below that end', 'BPPP', 'br'],
  ])('%s', (_rule, text, expected) => {
    // A column's own marks come before that of the next.
    const road = derived(text, 'bigEye')
    expect(road).toBe(expected)
  })

  test('a dragon tail counts as one column, however it is drawn', () => {
    expect(derived(`${'B'.repeat(9)}${'P'.repeat(10)}B`, 'bigEye')).toBe('rrrrrrrrbb')
  })

  const aShoe = fc.array(fc.constantFrom('B', 'P', 'T'), { maxLength: 120 }).map((all) => all.join(''))

  // Runs as a shoe has them, and of equal lengths often enough for red marks at the top.
  const aRun = fc.tuple(fc.constantFrom('B', 'P', 'BT', 'PT'), fc.nat({ max: 8 }))
  const runs = fc
    .array(aRun, { maxLength: 40 })
    .map((all) => all.map(([one, more]) => one + (one[0] ?? '').repeat(more)))

  test('follow the published rule for cells in any shoe', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          aShoe,
          runs.map((all) => all.join('')),
        ),
        (text) => {
          for (const road of roads) expect(derived(text, road)).toBe(byCells(text, derivedRoads[road]))
        },
      ),
      { numRuns: 300 },
    )
  })

  test('are the same in every shoe of eleven rounds without ties', () => {
    for (let bits = 0; bits < 2 ** 11; bits++) {
      const text = bits.toString(2).padStart(11, '0').replaceAll('0', 'B').replaceAll('1', 'P')
      for (const road of roads)
        if (derived(text, road) !== byCells(text, derivedRoads[road])) expect.fail(`${road} of ${text}`)
    }
  })

  test('ties change neither the derived roads nor the next marks', () => {
    fc.assert(
      fc.property(aShoe, (text) => {
        const without = text.replaceAll('T', '')
        for (const road of roads) expect(derived(text, road)).toBe(derived(without, road))
        expect(nextMarks(shoe(text), 'banker')).toEqual(nextMarks(shoe(without), 'banker'))
      }),
    )
  })

  test('a next mark is the one that the win adds, and the two sides have opposite ones', () => {
    fc.assert(
      fc.property(aShoe, (text) => {
        for (const road of roads) {
          const next = (side: Winner) => nextMarks(shoe(text), side)[road]
          for (const [letter, side] of [
            ['B', 'banker'],
            ['P', 'player'],
          ] as const) {
            const added = derived(text + letter, road).slice(derived(text, road).length)
            expect((next(side) ?? '').charAt(0)).toBe(added)
          }
          if (next('banker') !== null && next('player') !== null) expect(next('banker')).not.toBe(next('player'))
        }
      }),
    )
  })

  test('dragon and tiger have the marks of banker and player', () => {
    const side = { B: 'dragon', P: 'tiger', T: 'tie' } as const
    const text = 'BPPBTBBPPPBPB'
    const other = [...text].map((letter) => ({ ...shoe('T')[0], side: side[letter as 'B'] })) as RoadResult[]
    for (const road of roads) expect(initials(derivedRoad(other, road))).toBe(derived(text, road))
    expect(nextMarks(other, 'tiger')).toEqual(nextMarks(shoe(text), 'player'))
  })
})

/**
 * A derived road by the rule as it is published for cells. It reads the cells of a big road without an end to its columns.
 * At the top of a column the depths of two columns before it are compared: the last, and the one 1, 2 or 3 columns further
 * left. Below the top, the cell 1, 2 or 3 columns to the left is compared with the one above that. Equal is red, different
 * is blue.
 */
function byCells(text: string, gap: number): string {
  const cells = new Set<string>()
  const order: [number, number][] = []
  let column = -1
  let row = 0
  let before = ''
  for (const letter of text.replaceAll('T', '')) {
    row = letter === before ? row + 1 : 0
    if (row === 0) column += 1
    before = letter
    cells.add(`${column},${row}`)
    order.push([column, row])
  }
  const has = (at: number, down: number) => cells.has(`${at},${down}`)
  const sameDepth = (one: number, other: number) => {
    let down = 0
    while (has(one, down) && has(other, down)) down += 1
    return !has(one, down) && !has(other, down)
  }
  return order
    .filter(([at, down]) => at > gap || (at === gap && down > 0))
    .map(([at, down]) => {
      const isRed = down === 0 ? sameDepth(at - 1, at - 1 - gap) : has(at - gap, down) === has(at - gap, down - 1)
      return isRed ? 'r' : 'b'
    })
    .join('')
}

describe('cells', () => {
  test('no road leaves its rows or puts two marks into one cell', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('red', 'blue'), { maxLength: 200 }), (kinds) => {
        const cells = cellsOf(kinds)
        expect(cells.every(({ row }) => row >= 0 && row < roadRows)).toBe(true)
        expect(new Set(cells.map(({ column, row }) => `${column}/${row}`)).size).toBe(kinds.length)
      }),
    )
  })
})

test('the counts of a shoe', () => {
  const codes = ['1', '3', '6', '0', 'C', '2']
  const results = codes.map((code, i) => roadResult('baccarat', code, i === 1)).filter((result) => result !== null)
  expect(shoeCounts(results)).toEqual({
    rounds: 6,
    sides: { banker: 2, player: 2, dragon: 0, tiger: 0, tie: 2 },
    pairs: { banker: 2, player: 1 },
    suitedTies: 0,
    naturals: 1,
  })
  const tied = ['4', 'C', '1'].map((code) => roadResult('dragontiger', code)).filter((result) => result !== null)
  expect(shoeCounts(tied)).toMatchObject({ rounds: 3, suitedTies: 1, sides: { dragon: 1, tie: 2 } })
})
