/** Slip arithmetic, revisions and round fields. Source: game rules, sections 1.4 to 1.6. */

/** 1.4, 2: the pairs of opposite bets of which only the difference counts. Nothing else hedges. */
export const hedges = {
  baccarat: [['B', 'P']],
  dragontiger: [
    ['D', 'TG'],
    ['DB', 'DS'],
    ['DO', 'DE'],
    ['TB', 'TS'],
    ['TO', 'TE'],
  ],
} as const

/** 1.5: every revision's delta, from the previous and the current payout of the slip. */
export const deltas = [
  { revision: 'settled', delta: 'payout' },
  { revision: 'recalculated', delta: 'payout - previous payout' },
  { revision: 'void', delta: 'stake + hold - previous payout' },
] as const

/** 1.5: fields of a voided revision; the stake and the hold keep their values. */
export const voided = { winLoss: '0', validStake: '0', rolling: '0', mult: 0, absent: ['hands', 'winners'] } as const

/** 1.6: code, cardInfo and result of a round, by game. */
export const roundFields = [
  {
    game: 'baccarat',
    code: /^[0-9A-F]$/,
    cardInfo: /^([A2-9TJQK][SHDC]){4}([A2-9TJQK][SHDC]|--){2}$/,
    result: 'object',
  },
  { game: 'dragontiger', code: /^[124C]$/, cardInfo: /^([A2-9TJQK][SHDC]){2}$/, result: 'object' },
  {
    game: 'niuniu',
    code: /^[0-7][0-9A-D-]{4}$/,
    cardInfo: /^[A2-9TJQK][SHDC](\|[A2-9TJQK][SHDC]( [A2-9TJQK][SHDC]){4}){4}$/,
    result: 'object',
  },
  {
    game: 'holdem',
    code: null,
    cardInfo: /^([A2-9TJQK][SHDC] ){4}[A2-9TJQK][SHDC]\|\|[A2-9TJQK][SHDC] [A2-9TJQK][SHDC]$/,
    result: null,
  },
] as const
