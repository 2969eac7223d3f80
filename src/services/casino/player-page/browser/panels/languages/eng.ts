import type { RuleStrings } from '../strings.ts'

/** English. */
export const strings: RuleStrings = {
  payTable: 'Payouts',
  zone: 'Bet',
  pays: 'Net win for 1',
  bankerTotal: 'Banker’s total',
  bankerDraws: 'Banker draws on the player’s third card',
  texts: {
    baccarat:
      'The hand closer to nine wins. Aces count 1, tens and court cards 0, and only the last digit of the total counts. A total of eight or nine with two cards is a natural and ends the round; otherwise the player draws up to five, and the banker by the table. On a tie, bets on banker and player are returned.',
    dragontiger:
      'Dragon and tiger get one card each, and the higher one wins. The ace is the lowest, the king the highest; suits do not count. On a tie, bets on dragon and tiger lose half. The seven loses big, small, odd and even.',
    niuniu:
      'Banker and players get five cards each. Three of them must add up to a multiple of ten; the last digit of the other two is the bull. Each player hand is compared with the banker alone; between equal ranks the highest card decides. A double bet wins or loses a multiple by the winning hand.',
    casino:
      'After the flop you call with twice your ante or fold. The dealer needs a pair of fours or better to qualify; otherwise the ante pays and the call is returned. The AA bonus is decided by your two cards and the flop.',
    thbp: 'You bet twice your ante to see the flop, or fold. Before the turn and the river you bet once your ante or check. The ante pays only if you win with a straight or better; if you win with a lower hand, it is returned. The bonus is decided by the two cards alone.',
    nlhe: 'Each player has two cards and shares five on the board; the best five cards win the pot. You may bet any amount up to your chips. A share of each pot goes to the house. Your chips are returned after the hand.',
  },
}
