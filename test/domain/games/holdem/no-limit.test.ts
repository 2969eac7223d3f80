import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Card, deck } from '../../../../src/domain/games/cards.ts'
import { isNo, type TableSettings } from '../../../../src/domain/games/game.ts'
import { holdem } from '../../../../src/domain/games/holdem/holdem.ts'
import {
  type Action,
  act,
  actionInstead,
  type Choices,
  choices,
  type NoLimitHand,
  nextButton,
  openHand,
} from '../../../../src/domain/games/holdem/no-limit.ts'
import { formatAmount, parseAmount, sum } from '../../../../src/domain/money.ts'

/** Seats 1, 2, 3 … with these stacks. */
function aHand(stacks: readonly string[], button = 1, settings: TableSettings = {}): NoLimitHand {
  const hand = openHand(
    stacks.map((stack, i) => ({ seat: i + 1, stack: parseAmount(stack) })),
    button,
    settings,
  )
  if (isNo(hand)) throw new Error(hand.because)
  return hand
}

const actions: Record<string, Action> = { f: { kind: 'fold' }, x: { kind: 'check' }, c: { kind: 'call' } }

/** Plays actions in turn: f fold, x check, c call, a number a bet or raise to that amount on the street. */
function played(hand: NoLimitHand, line: string): NoLimitHand {
  return line.split(' ').reduce((now, word) => {
    const next = act(now, actions[word] ?? { kind: 'raise', to: parseAmount(word) })
    if (isNo(next)) throw new Error(`${word}: ${next.because}`)
    return next
  }, hand)
}

const refusal = (hand: NoLimitHand, word: string) => {
  const next = act(hand, actions[word] ?? { kind: 'raise', to: parseAmount(word) })
  return isNo(next) ? next.no : 'done'
}

const may = (hand: NoLimitHand) => {
  const now = choices(hand)
  if (!now) return null
  return {
    seat: now.seat,
    check: now.canCheck,
    call: now.call === null ? null : formatAmount(now.call),
    raise: now.raise && [formatAmount(now.raise.from), formatAmount(now.raise.to)],
  }
}

const puts = (hand: NoLimitHand) =>
  Object.fromEntries(hand.players.map((player) => [player.seat, formatAmount(player.put)]))

describe('blinds and turns', () => {
  test('the two seats left of the button post, and the next seat acts first', () => {
    const hand = aHand(['100', '100', '100', '100'])
    expect(puts(hand)).toEqual({ 1: '0', 2: '1', 3: '2', 4: '0' })
    expect(may(hand)).toEqual({ seat: 4, check: false, call: '2', raise: ['4', '100'] })
  })

  test('with three seats the button acts first before the flop, and the small blind after it', () => {
    const hand = aHand(['100', '100', '100'])
    expect(hand.turn).toBe(1)
    const flop = played(hand, 'c c x')
    expect([flop.street, flop.boardSize, flop.turn]).toEqual(['flop', 3, 2])
  })

  test('with two seats the button posts the small blind, acts first before the flop and last after it', () => {
    const hand = aHand(['100', '100'], 2)
    expect(puts(hand)).toEqual({ 1: '2', 2: '1' })
    expect(hand.turn).toBe(2)
    expect(played(hand, 'c x').turn).toBe(1)
  })

  test('empty seats are skipped', () => {
    const hand = openHand(
      [
        { seat: 2, stack: 100_0000n },
        { seat: 5, stack: 100_0000n },
        { seat: 9, stack: 100_0000n },
      ],
      5,
      {},
    )
    if (isNo(hand)) throw new Error(hand.because)
    expect(puts(hand)).toEqual({ 9: '1', 2: '2', 5: '0' })
    expect(hand.turn).toBe(5)
  })

  test('the big blind acts last before the flop, also if all others only called', () => {
    const hand = played(aHand(['100', '100', '100']), 'c c')
    expect(may(hand)).toEqual({ seat: 3, check: true, call: null, raise: ['4', '100'] })
    expect(played(hand, '6').turn).toBe(1)
  })

  test('a short stack posts what it has, and the others still owe the full blind', () => {
    const hand = aHand(['100', '100', '1.5', '100'])
    expect(puts(hand)).toEqual({ 1: '0', 2: '1', 3: '1.5', 4: '0' })
    expect(may(hand)).toMatchObject({ seat: 4, call: '2', raise: ['4', '100'] })
  })

  test('blinds that are all in end the betting', () => {
    const short = aHand(['100', '0.5'])
    expect([short.turn, short.boardSize, puts(short)]).toEqual([null, 5, { 1: '1', 2: '0.5' }])
    const call = aHand(['100', '1.5'])
    expect(may(call)).toEqual({ seat: 1, check: false, call: '0.5', raise: null })
    expect(played(call, 'c')).toMatchObject({ turn: null, boardSize: 5 })
  })

  test('blinds are settings of the table', () => {
    expect(puts(aHand(['1000', '1000', '1000'], 1, { smallBlind: '5', bigBlind: '10' }))).toEqual({
      1: '0',
      2: '5',
      3: '10',
    })
  })
})

describe('the button', () => {
  test.each<[seats: [number, ...number[]], last: number | null, next: number]>([
    [[5, 2, 9], 2, 5],
    [[5, 2, 9], 5, 9],
    [[5, 2, 9], 9, 2],
    // The seat that had it no longer plays.
    [[5, 2, 9], 3, 5],
    [[5, 9], 2, 5],
    [[2, 5], 9, 2],
    [[7, 3], 3, 7],
    [[7, 3], 7, 3],
    [[9, 5, 2], null, 2],
  ])('of the seats %j it moves from %j to %i', (seats, last, next) => {
    expect(nextButton(seats, last)).toBe(next)
  })
})

describe('the smallest chip of all', () => {
  const settings = { unit: '0.0001' }

  test('is a valid stack, and is called or raised like any other amount', () => {
    const hand = aHand(['100', '100', '100', '0.0001'], 1, settings)
    expect(may(hand)).toEqual({ seat: 4, check: false, call: '0.0001', raise: null })
    expect(puts(played(hand, 'c'))).toEqual({ 1: '0', 2: '1', 3: '2', 4: '0.0001' })
  })

  test('is due if it is missing', () => {
    const hand = played(aHand(['2.0001', '100', '100'], 1, settings), '2.0001')
    expect(may(played(hand, 'c'))).toMatchObject({ seat: 3, check: false, call: '0.0001' })
    expect(refusal(played(hand, 'c'), 'x')).toBe('action-not-open')
  })
})

describe('raises', () => {
  test('a raise is stated as the total of the street', () => {
    expect(puts(played(aHand(['100', '100']), '6'))).toEqual({ 1: '6', 2: '2' })
    expect(puts(played(aHand(['100', '100']), '6 15'))).toEqual({ 1: '6', 2: '15' })
    expect(puts(played(aHand(['100', '100']), '6 c 5 20'))).toEqual({ 1: '26', 2: '11' })
  })

  test.each([
    ['1.99', '1.99', null],
    ['2', '2', null],
    ['2.01', '2', ['2.01', '2.01']],
    ['3.99', '2', ['3.99', '3.99']],
    ['4', '2', ['4', '4']],
    ['4.01', '2', ['4', '4.01']],
  ])('a stack of %s against the big blind of 2 calls %s and raises to %j', (stack, call, raise) => {
    expect(may(aHand([stack, '100', '100']))).toEqual({ seat: 1, check: false, call, raise })
  })

  test('a raise is at least as large as the previous one of the street', () => {
    const hand = played(aHand(['100', '100', '100']), '7')
    expect(may(hand)?.raise).toEqual(['12', '100'])
    expect(refusal(hand, '11.99')).toBe('raise-too-small')
    expect(may(played(hand, '30'))?.raise).toEqual(['53', '100'])
  })

  test('a first bet is at least the big blind, on every street', () => {
    const flop = played(aHand(['100', '100', '100']), '20 c c')
    expect(may(flop)).toEqual({ seat: 2, check: true, call: null, raise: ['2', '80'] })
    expect(refusal(flop, '1.99')).toBe('raise-too-small')
  })

  test('a player cannot bet more than the stack', () => {
    expect(refusal(aHand(['50', '100', '100']), '50.01')).toBe('amount-too-large')
    expect(refusal(aHand(['50', '100', '100']), '50')).toBe('done')
  })

  test('all in below a full raise must be answered, but players who acted may not raise again', () => {
    // Seat 1 makes it 10, a raise of 8; seat 2 is all in for 15, a raise of only 5.
    const hand = played(aHand(['100', '15', '100']), '10 15')
    expect(may(hand)).toEqual({ seat: 3, check: false, call: '13', raise: ['23', '100'] })
    const back = played(hand, 'c')
    expect(may(back)).toEqual({ seat: 1, check: false, call: '5', raise: null })
    expect(refusal(back, '40')).toBe('action-not-open')
    expect(played(back, 'c').street).toBe('flop')
  })

  test('a full raise after it reopens the betting to them', () => {
    const hand = played(aHand(['100', '15', '100']), '10 15 23')
    expect(may(hand)).toEqual({ seat: 1, check: false, call: '13', raise: ['31', '100'] })
  })

  test('all in for exactly a full raise reopens it', () => {
    expect(may(played(aHand(['100', '18', '100']), '10 18 c'))).toMatchObject({ seat: 1, raise: ['26', '100'] })
  })

  test('all in below the big blind on the flop is allowed, and the next raise is a big blind', () => {
    const flop = played(aHand(['100', '3.5', '100']), 'c c x')
    expect(may(flop)).toMatchObject({ seat: 2, raise: ['1.5', '1.5'] })
    expect(may(played(flop, '1.5'))).toMatchObject({ seat: 3, call: '1.5', raise: ['3.5', '98'] })
  })

  test('no raise is possible when all others are all in', () => {
    expect(may(played(aHand(['50', '100']), '50'))).toEqual({ seat: 2, check: false, call: '48', raise: null })
  })

  test('chips are integers', () => {
    expect(refusal(aHand(['100', '100', '100']), '4.005')).toBe('multiple-wrong')
  })
})

describe('illegal actions', () => {
  test('a seat cannot fold when it can check', () => {
    const flop = played(aHand(['100', '100']), 'c x')
    expect(refusal(flop, 'f')).toBe('action-not-open')
    expect(refusal(flop, 'x')).toBe('done')
  })

  test('a bet must be answered, and without one there is nothing to call', () => {
    expect(refusal(aHand(['100', '100']), 'x')).toBe('action-not-open')
    expect(refusal(played(aHand(['100', '100']), 'c'), 'c')).toBe('action-not-open')
  })

  test('no action is accepted after the end', () => {
    const over = played(aHand(['100', '100']), 'f')
    expect(choices(over)).toBeNull()
    expect(actionInstead(over)).toBeNull()
    expect(refusal(over, 'x')).toBe('action-not-open')
  })

  test('a hand needs two to nine different seats with chips, one of them the button', () => {
    const open = (seats: { seat: number; stack: bigint }[], button = 1) => {
      const hand = openHand(seats, button, {})
      return isNo(hand) ? hand.no : 'open'
    }
    const stack = 10_000n
    expect(open([{ seat: 1, stack }])).toBe('seat-impossible')
    expect(
      open([
        { seat: 1, stack },
        { seat: 1, stack },
      ]),
    ).toBe('seat-impossible')
    expect(
      open([
        { seat: 1, stack },
        { seat: 10, stack },
      ]),
    ).toBe('seat-impossible')
    expect(
      open(
        [
          { seat: 1, stack },
          { seat: 2, stack },
        ],
        3,
      ),
    ).toBe('seat-impossible')
    expect(
      open([
        { seat: 1, stack },
        { seat: 2, stack: 0n },
      ]),
    ).toBe('amount-not-positive')
    expect(
      open([
        { seat: 1, stack },
        { seat: 2, stack: 150n },
      ]),
    ).toBe('amount-not-positive')
    expect(
      open([
        { seat: 1, stack },
        { seat: 2, stack },
      ]),
    ).toBe('open')
  })
})

describe('the end', () => {
  test('when all but one have folded, the board stays incomplete', () => {
    expect(played(aHand(['100', '100', '100']), '6 f f')).toMatchObject({ turn: null, boardSize: 0 })
    expect(played(aHand(['100', '100']), '6 c x x 10 f')).toMatchObject({ turn: null, boardSize: 4 })
  })

  test('when no more bets are possible, the board is run out', () => {
    expect(played(aHand(['100', '50', '30']), '100 c c')).toMatchObject({ turn: null, boardSize: 5 })
  })

  test('players with chips continue betting after another is all in', () => {
    const flop = played(aHand(['100', '100', '10']), '20 c c')
    expect(flop).toMatchObject({ street: 'flop', turn: 2 })
    expect(played(flop, 'x 30 f')).toMatchObject({ turn: null, boardSize: 5 })
  })

  test('a hand that is run out names the street on which the betting ended', () => {
    expect(played(aHand(['100', '50']), '50 c')).toMatchObject({ street: 'preflop', turn: null, boardSize: 5 })
    expect(played(aHand(['100', '50']), 'c x 48 c')).toMatchObject({ street: 'flop', turn: null, boardSize: 5 })
  })

  test('checks on four streets lead to a showdown', () => {
    const hand = aHand(['100', '100'])
    const at = (line: string) => {
      const now = played(hand, line)
      return [now.street, now.boardSize, now.turn]
    }
    expect(at('c x')).toEqual(['flop', 3, 2])
    expect(at('c x x x')).toEqual(['turn', 4, 2])
    expect(at('c x x x x x')).toEqual(['river', 5, 2])
    expect(at('c x x x x x x')).toEqual(['river', 5, 1])
    expect(at('c x x x x x x x')).toEqual(['river', 5, null])
  })

  test('a seat that does not act in time checks if it can and folds if it cannot', () => {
    expect(actionInstead(aHand(['100', '100']))).toEqual({ kind: 'fold' })
    expect(actionInstead(played(aHand(['100', '100']), 'c'))).toEqual({ kind: 'check' })
  })
})

describe('invariants, by random hands', () => {
  const unit = 1000n
  const settings = { unit: '0.1' }
  const table = fc.record({
    stacks: fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 2, maxLength: 9 }),
    button: fc.nat(),
    cards: fc.shuffledSubarray([...deck], { minLength: 23, maxLength: 23 }),
    picks: fc.array(fc.record({ pick: fc.nat(), size: fc.nat() }), { minLength: 400, maxLength: 400 }),
  })

  /** All actions of the seat to act, with a raise of any size and all in. */
  function allowed(now: Choices, size: number): Action[] {
    const passive: Action[] = now.canCheck ? [{ kind: 'check' }] : [{ kind: 'call' }, { kind: 'fold' }]
    if (!now.raise) return passive
    const chips = Number((now.raise.to - now.raise.from) / unit)
    const to = now.raise.from + BigInt(size % (chips + 1)) * unit
    return [...passive, { kind: 'raise', to }, { kind: 'raise', to: now.raise.to }]
  }

  test('an offered action is never rejected, every hand ends, and the number of chips is constant up to the payouts', () => {
    fc.assert(
      fc.property(table, ({ stacks, button, cards, picks }) => {
        const total = sum(stacks.map((chips) => BigInt(chips) * unit))
        const seat = (button % stacks.length) + 1
        let hand = aHand(
          stacks.map((chips) => formatAmount(BigInt(chips) * unit)),
          seat,
          settings,
        )
        for (const { pick, size } of picks) {
          const now = choices(hand)
          if (!now) break
          const open = allowed(now, size)
          const next = act(hand, open[pick % open.length] ?? { kind: 'check' })
          if (isNo(next)) throw new Error(next.because)
          expect(sum(next.players.map((player) => player.put + player.stack))).toBe(total)
          hand = next
        }
        expect(hand.turn).toBeNull()
        settlesWhole(hand, seat, cards)
      }),
      { numRuns: 500 },
    )
  })

  /** The seats with a contribution, settled on some cards: the pots settle every hand that play can produce. */
  function settlesWhole(hand: NoLimitHand, button: number, cards: readonly Card[]) {
    const board = cards.slice(18, 18 + hand.boardSize).join(' ')
    const outcome = holdem.read({ cardInfo: board, button }, { variant: 'nlhe', settings })
    if (isNo(outcome)) throw new Error(outcome.because)
    const wagers = hand.players.flatMap(({ seat, put, hasFolded }, i) =>
      put === 0n
        ? []
        : {
            variant: 'nlhe' as const,
            bets: [{ zone: 'POT', amount: put }],
            hand: { hole: cards.slice(2 * i, 2 * i + 2), folded: hasFolded, seat },
          },
    )
    const settled = holdem.settle(outcome, wagers, settings)
    if (isNo(settled)) throw new Error(settled.because)
    expect(sum(settled.map((one) => one.winLoss + one.rake))).toBe(0n)
  }
})
