import { describe, expect, test } from 'vitest'
import * as program from '../../../../src/domain/games/cards.ts'
import { formatAmount, parseAmount, times } from '../../../../src/domain/money.ts'
import { cuts, emptySlot, notCards, printed, ranks, suits } from './cards.ts'

describe('1.1: cards', () => {
  test('the ranks and suits are the printed ones, in that order', () => {
    expect(program.ranks).toEqual(ranks)
    expect(program.suits).toEqual(suits)
    expect(program.notDealt).toBe(emptySlot)
  })

  test('all 52 codes are cards and occur once, the spades first', () => {
    const all = suits.flatMap((suit) => ranks.map((rank) => `${rank}${suit}`))
    expect(program.deck).toEqual(all)
    expect(all.filter((code) => !program.isCard(code))).toEqual([])
    expect(new Set(program.deck).size).toBe(52)
  })

  test.each(notCards)('"%s" is no card', (code) => {
    expect(program.isCard(code)).toBe(false)
  })
})

describe('1.3: money', () => {
  test.each(cuts)('$amount at $numerator/$denominator wins $won', ({ amount, numerator, denominator, won }) => {
    expect(formatAmount(times(parseAmount(amount), { numerator, denominator }))).toBe(won)
  })

  test.each(printed)('$written is shown as $shown', ({ written, shown }) => {
    expect(formatAmount(parseAmount(written))).toBe(shown)
  })
})
