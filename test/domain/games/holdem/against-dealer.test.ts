import { describe, expect, test } from 'vitest'
import type { Settlement } from '../../../../src/domain/bets/slip.ts'
import { type Card, deck } from '../../../../src/domain/games/cards.ts'
import { bonusStages, settleBonus } from '../../../../src/domain/games/holdem/bonus.ts'
import { casinoStages, settleCasino } from '../../../../src/domain/games/holdem/casino.ts'
import { acceptAgainstDealer, showdown, winnerOf } from '../../../../src/domain/games/holdem/dealer.ts'
import type { DealtWager, HoldemOutcome } from '../../../../src/domain/games/holdem/table.ts'
import { amountsOf } from '../worked.ts'

const cards = (text: string) => text.split(' ') as Card[]

/** A finished hand, from a card string: board, player, dealer. */
function hand(variant: 'casino' | 'thbp', cardInfo: string, bets: string): [HoldemOutcome, DealtWager] {
  const [board = '', hole = '', dealer = ''] = cardInfo.split('|')
  const outcome: HoldemOutcome = {
    game: 'holdem',
    code: null,
    cardInfo,
    result: null,
    complete: true,
    variant,
    board: cards(board),
    dealer: cards(dealer),
    button: null,
  }
  return [outcome, { variant, bets: amountsOf(bets), hand: { hole: cards(hole), folded: false, seat: 1 } }]
}

const returnOf = ({ legs }: Settlement, zone: string) => legs.find((leg) => leg.zone === zone)?.return
const ofOne = amountsOf('ANTE 1')[0]?.amount ?? 0n

describe('Bonus Poker (game rules, 5.2)', () => {
  /** Payout of the bonus for two hole cards, from the document's table, by the text of both cards. */
  function paidBy(hole: readonly Card[], dealerHasAces: boolean): bigint {
    const suited = hole[0]?.[1] === hole[1]?.[1]
    const pair = hole.map((card) => card[0]).join('')
    const has = (text: string) => pair === text || pair === `${text[1]}${text[0]}`
    if (has('AA')) return dealerHasAces ? 1000n : 30n
    if (has('AK')) return suited ? 25n : 15n
    if (has('AQ') || has('AJ')) return suited ? 20n : 5n
    if (has('KK') || has('QQ') || has('JJ')) return 10n
    return pair[0] === pair[1] ? 3n : 0n
  }

  test.each([
    ['no aces', ['2S', '3H'] as Card[]],
    ['one ace', ['AS', 'KH'] as Card[]],
    ['aces', ['AS', 'AH'] as Card[]],
  ])('the bonus on each two cards pays by the table, folded, if the dealer holds %s', (name, dealer) => {
    for (const [i, first] of deck.entries())
      for (const second of deck.slice(i + 1)) {
        if (dealer.includes(first) || dealer.includes(second)) continue
        const board = deck.filter((card) => ![first, second, ...dealer].includes(card)).slice(0, 5)
        const settled = settleBonus(
          ...hand('thbp', `${board.join(' ')}|${first} ${second}|${dealer.join(' ')}`, 'ANTE 1, BONUS 1'),
        )
        const pays = paidBy([first, second], name === 'aces')
        expect([first, second, returnOf(settled, 'BONUS')]).toEqual([
          first,
          second,
          pays === 0n ? 0n : (pays + 1n) * ofOne,
        ])
        expect([settled.result.code, returnOf(settled, 'ANTE')]).toEqual(['fold', 0n])
      }
  })

  test.each([
    ['three of a kind', '7S 7H 2C 9D KS|7D 3C|AS QH', 1n],
    ['a straight', '5S 6H 7C KD KS|8D 9C|AS QH', 2n],
    ['a flush', '5S 6S 9S KD KH|8S 2S|AC QH', 2n],
  ])('a winning ante with %s', (_name, cardInfo, returned) => {
    const settled = settleBonus(...hand('thbp', cardInfo, 'ANTE 1, FLOP 2'))
    expect([settled.result.code, returnOf(settled, 'ANTE')]).toEqual(['player_wins', returned * ofOne])
    expect(returnOf(settled, 'FLOP')).toBe(4n * ofOne)
  })
})

describe('Casino Hold’em (game rules, 5.1)', () => {
  const plays = (dealer: string, board = '2S 7H 9C JD KS') =>
    settleCasino(...hand('casino', `${board}|AS QH|${dealer}`, 'ANTE 1, CALL 2')).result.code

  test('the dealer plays from a pair of fours, also from one on the board', () => {
    expect(plays('3C 3D', '2S 7H 9C JD KS')).toBe('dealer_not_qualified')
    expect(plays('4C 4D', '2S 7H 9C JD KS')).toBe('dealer_wins')
    expect(plays('5C 6D', '4S 4H 9C JD KS')).toBe('player_wins')
    expect(plays('5C 6D', '3S 3H 9C JD KS')).toBe('dealer_not_qualified')
  })

  test.each([
    ['royal flush', 'TS JS QS KS 2H|AS 3C', 101n],
    ['straight flush', '5S 6S 7S 8S 2H|9S 3C', 21n],
    ['four of a kind', '5S 5H 5D 8S 2H|5C 3C', 11n],
    ['full house', '5S 5H 6D 8S 2H|5C 6C', 4n],
    ['flush', '5S 6S 8S KS 2H|2S 3C', 3n],
    ['straight', '5S 6H 7S 8D 2H|9S 3C', 2n],
    ['high card', '5S 6H QS 8D 2H|AS 3C', 2n],
  ])('the ante of a %s that wins pays by the table', (_name, rest, returned) => {
    const settled = settleCasino(...hand('casino', `${rest}|JC TH`, 'ANTE 1, CALL 2'))
    expect(['player_wins', 'dealer_not_qualified']).toContain(settled.result.code)
    expect(returnOf(settled, 'ANTE')).toBe(returned * ofOne)
  })

  test.each([
    ['royal flush', 'TS JS QS|AS KS', 101n],
    ['straight flush', '5S 6S 7S|8S 9S', 51n],
    ['four of a kind', '5S 5H 5D|5C 9S', 41n],
    ['full house', '5S 5H 5D|9C 9S', 31n],
    ['flush', '5S 6S 7S|9S KS', 21n],
    ['straight', '5S 6H 7S|8S 9S', 8n],
    ['two pair, the lowest', '2S 2H 3S|3C 9S', 8n],
    ['pair of aces', '5S 6H 7S|AC AS', 8n],
    ['pair of kings with an ace', '5S 6H KS|KC AS', 0n],
  ])('the AA bet on the first five cards: %s', (_name, firstFive, returned) => {
    const [flop, hole] = firstFive.split('|')
    const settled = settleCasino(...hand('casino', `${flop} 2D QC|${hole}|JC TH`, 'ANTE 1, AAB 1'))
    expect([settled.result.code, returnOf(settled, 'AAB')]).toEqual(['fold', returned * ofOne])
  })
})

describe('against the dealer', () => {
  const [outcome] = hand('casino', '2S 7H 9C JD KS|AS QH|AC QD', 'ANTE 1')

  test('the better of two hands of seven cards wins, and suits decide nothing', () => {
    expect(winnerOf(showdown(outcome, cards('AS QH')))).toBe('tie')
    expect(winnerOf(showdown(outcome, cards('KD 3H')))).toBe('player_wins')
    expect(winnerOf(showdown(outcome, cards('QS 3H')))).toBe('dealer_wins')
  })

  test.each([
    ['casino', 'ANTE 10', 'accepted'],
    ['casino', 'ANTE 10, CALL 20', 'accepted'],
    ['casino', 'CALL 20', 'leg-missing'],
    ['casino', 'AAB 5', 'leg-missing'],
    ['casino', 'ANTE 10, CALL 19', 'multiple-wrong'],
    ['casino', 'ANTE 10, CALL 21', 'multiple-wrong'],
    ['thbp', 'ANTE 10, FLOP 20, TURN 10, RIVER 10', 'accepted'],
    ['thbp', 'ANTE 10, FLOP 20, RIVER 10', 'accepted'],
    ['thbp', 'ANTE 10, FLOP 10', 'multiple-wrong'],
    ['thbp', 'ANTE 10, FLOP 20, TURN 20', 'multiple-wrong'],
    ['thbp', 'ANTE 10, FLOP 20, RIVER 20', 'multiple-wrong'],
    ['thbp', 'ANTE 10, TURN 10', 'leg-after-fold'],
    ['thbp', 'ANTE 10, RIVER 10', 'leg-after-fold'],
  ] as const)('%s: %s is %s', (variant, bets, ending) => {
    const stages = variant === 'casino' ? casinoStages : bonusStages
    const answer = acceptAgainstDealer({ variant, bets: amountsOf(bets) }, stages)
    expect('no' in answer ? answer.no : 'accepted').toBe(ending)
  })

  test('a slip with a fold has no further bets', () => {
    const order = { variant: 'casino', folded: true } as const
    expect(acceptAgainstDealer({ ...order, bets: amountsOf('ANTE 10, CALL 20') }, casinoStages)).toMatchObject({
      no: 'leg-after-fold',
    })
    expect('no' in acceptAgainstDealer({ ...order, bets: amountsOf('ANTE 10, AAB 5') }, casinoStages)).toBe(false)
  })
})
