/**
 * Worked slips. Source: game rules, sections 2.6, 3.4, 5.1, 5.2, 5.3 and 6.6, every column. A slip with its corrections
 * and its void is one chain; returns are in the order of the bets.
 */

export interface Revision {
  readonly name: string
  readonly rev: number
  readonly status: 'settled' | 'recalculated' | 'void'
  /** The round's result: empty in a round voided without one, absent if the source named no cards. */
  readonly cardInfo?: string
  readonly code: string
  readonly returns: readonly string[]
  readonly stake: string
  readonly hold?: string
  readonly validStake: string
  readonly rolling: string
  readonly payout: string
  readonly winLoss: string
  readonly delta: string
  /** Multipliers of the double legs, by zone. */
  readonly mult?: Readonly<Record<string, number>>
}

export interface Chain {
  readonly bets: Readonly<Record<string, string>>
  readonly revisions: readonly Revision[]
}

type Cells = readonly [
  name: string,
  cardInfo: string,
  code: string,
  returns: string,
  stake: string,
  validStake: string,
  rolling: string,
  payout: string,
  winLoss: string,
  rev: number,
  status: Revision['status'],
  delta: string,
]

function revision(cells: Cells): Revision {
  const [name, cardInfo, code, returns, stake, validStake, rolling, payout, winLoss, rev, status, delta] = cells
  return {
    name,
    cardInfo,
    code,
    returns: returns.split(' '),
    stake,
    validStake,
    rolling,
    payout,
    winLoss,
    rev,
    status,
    delta,
  }
}

const betsOf = (text: string) => Object.fromEntries(text.split(', ').map((pair) => pair.split(' ') as [string, string]))
const chain = (bets: string, ...rows: readonly Cells[]): Chain => ({
  bets: betsOf(bets),
  revisions: rows.map(revision),
})

/** 2.6, variant classic. */
export const baccaratClassic: readonly Chain[] = [
  chain(
    'B 100, T 10, BP 5',
    ['BA1', '5H4S3C5D----', '1', '195 0 0', '115', '115', '15', '195', '80', 1, 'settled', '195'],
    ['BA1r', 'KS4H7D2C----', '2', '0 0 0', '115', '115', '115', '0', '-115', 2, 'recalculated', '-195'],
    ['BA1v', 'KS4H7D2C----', '2', '100 10 5', '115', '0', '0', '115', '0', 3, 'void', '115'],
  ),
  chain('B 100, P 40, T 20', [
    'BA2',
    '2H8C3D5S8D--',
    '0',
    '100 40 180',
    '160',
    '20',
    '0',
    '320',
    '160',
    1,
    'settled',
    '320',
  ]),
  chain('B 100, P 60', ['BA3', 'KS4H7D2C----', '2', '0 120', '160', '40', '100', '120', '-40', 1, 'settled', '120']),
  chain('B 33.3333', [
    'BA4',
    '5H4S3C5D----',
    '1',
    '64.9999',
    '33.3333',
    '33.3333',
    '0',
    '64.9999',
    '31.6666',
    1,
    'settled',
    '64.9999',
  ]),
  chain('B 200, T 25, BP 10, PP 10', [
    'BA8',
    '3C8D3H8S----',
    'C',
    '200 225 120 120',
    '245',
    '45',
    '0',
    '665',
    '420',
    1,
    'settled',
    '665',
  ]),
  chain('P 70', ['BA9v', '', '', '70', '70', '0', '0', '70', '0', 1, 'void', '70']),
]

/** 2.6, variant nocomm. */
export const baccaratNocomm: readonly Chain[] = [
  chain('B 100, S6 10, BP 5', [
    'BA5',
    'QD3D4C3SAH--',
    '7',
    '150 130 60',
    '115',
    '115',
    '0',
    '340',
    '225',
    1,
    'settled',
    '340',
  ]),
  chain(
    'B 100, S6 10, PP 5',
    ['BA6', '5H4S3C5D----', '1', '200 0 0', '115', '115', '5', '200', '85', 1, 'settled', '200'],
    ['BA6r', 'TSASTH4H4DAC', 'B', '150 130 60', '115', '115', '0', '340', '225', 2, 'recalculated', '140'],
  ),
  chain('P 50, S6 20, PP 10', [
    'BA7',
    '2SJC2DQH5C7S',
    'A',
    '100 0 120',
    '80',
    '80',
    '0',
    '220',
    '140',
    1,
    'settled',
    '220',
  ]),
]

/** 3.4, all zones enabled. */
export const dragonTiger: readonly Chain[] = [
  chain(
    'D 100',
    ['DT1', 'KS7H', '1', '200', '100', '100', '0', '200', '100', 1, 'settled', '200'],
    ['DT1r', '7C7D', '4', '50', '100', '50', '50', '50', '-50', 2, 'recalculated', '-150'],
    ['DT1v', '7C7D', '4', '100', '100', '0', '0', '100', '0', 3, 'void', '50'],
  ),
  chain('D 100, T 10', ['DT2', '7C7D', '4', '50 90', '110', '60', '50', '140', '30', 1, 'settled', '140']),
  chain('TG 40, T 10, ST 5', ['DT3', 'QHQH', 'C', '20 90 255', '55', '35', '20', '365', '310', 1, 'settled', '365']),
  chain('D 100, TG 30', ['DT4', '3SJD', '2', '0 60', '130', '70', '100', '60', '-70', 1, 'settled', '60']),
  chain('DB 20, DS 20, DO 10, TS 15, TO 5', [
    'DT5',
    '7HAC',
    '1',
    '0 0 0 30 10',
    '70',
    '30',
    '50',
    '40',
    '-30',
    1,
    'settled',
    '40',
  ]),
  chain('DO 25, DS 25, TB 25, TE 25', [
    'DT6',
    '3SJD',
    '2',
    '50 50 50 0',
    '100',
    '100',
    '25',
    '150',
    '50',
    1,
    'settled',
    '150',
  ]),
  chain('D 100, TG 60', ['DT7', '7C7D', '4', '50 30', '160', '20', '80', '80', '-80', 1, 'settled', '80']),
  chain('D 0.0003', [
    'DT8',
    '7C7D',
    '4',
    '0.0001',
    '0.0003',
    '0.0002',
    '0.0002',
    '0.0001',
    '-0.0002',
    1,
    'settled',
    '0.0001',
  ]),
  chain('T 12.5', ['DT9v', '', '', '12.5', '12.5', '0', '0', '12.5', '0', 1, 'void', '12.5']),
]

/** 5.1: cardInfo is the player's own: board, hole cards, dealer. */
export const casinoHoldem: readonly Chain[] = [
  chain('ANTE 10, CALL 20, AAB 5', [
    'CH1',
    'AH 7C 2D 9S 4H|AS KD|QH 4D',
    'player_wins',
    '20 40 40',
    '35',
    '35',
    '0',
    '100',
    '65',
    1,
    'settled',
    '100',
  ]),
  chain('ANTE 10, CALL 20, AAB 5', [
    'CH2',
    '2H 7H QH 3C 8D|KH 9H|JS TC',
    'dealer_not_qualified',
    '30 20 105',
    '35',
    '15',
    '0',
    '155',
    '120',
    1,
    'settled',
    '155',
  ]),
  chain('ANTE 10, CALL 20', [
    'CH3',
    'KC JD 9H 7S 2D|5S 4C|AH 3C',
    'dealer_not_qualified',
    '20 20',
    '30',
    '10',
    '0',
    '40',
    '10',
    1,
    'settled',
    '40',
  ]),
  chain('ANTE 10, CALL 20, AAB 5', [
    'CH4',
    'TS JD QC KH AS|2C 2D|5H 6H',
    'tie',
    '10 20 0',
    '35',
    '5',
    '5',
    '30',
    '-5',
    1,
    'settled',
    '30',
  ]),
  chain('ANTE 10, AAB 5', [
    'CH5',
    'KS QH 5D 6C 9S|8D 3C|TD 2H',
    'fold',
    '0 0',
    '15',
    '15',
    '15',
    '0',
    '-15',
    1,
    'settled',
    '0',
  ]),
  chain('ANTE 10, AAB 5', [
    'CH6',
    'AS AD 7C QS TC|3H 2D|KC 9D',
    'fold',
    '0 40',
    '15',
    '15',
    '10',
    '40',
    '25',
    1,
    'settled',
    '40',
  ]),
  chain(
    'ANTE 25, CALL 50',
    ['CH7', '4S 8D KC KD 2S|JH JC|KS 6C', 'dealer_wins', '0 0', '75', '75', '75', '0', '-75', 1, 'settled', '0'],
    [
      'CH7r',
      '4S 8D KC KD JS|JH JC|KS 6C',
      'player_wins',
      '100 100',
      '75',
      '75',
      '0',
      '200',
      '125',
      2,
      'recalculated',
      '200',
    ],
    ['CH7v', '4S 8D KC KD JS|JH JC|KS 6C', 'void', '25 50', '75', '0', '0', '75', '0', 3, 'void', '-125'],
  ),
  chain('ANTE 10, CALL 20, AAB 5', [
    'CH8',
    'QD JD TD 2C 2H|AD KD|9S 9C',
    'player_wins',
    '1010 40 505',
    '35',
    '35',
    '0',
    '1555',
    '1520',
    1,
    'settled',
    '1555',
  ]),
]

/** 5.2. */
export const bonusPoker: readonly Chain[] = [
  chain(
    'ANTE 10, FLOP 20, TURN 10, RIVER 10, BONUS 5',
    [
      'TB1',
      'AH KC 7D 2S 9C|AS KD|QH QS',
      'player_wins',
      '10 40 20 20 80',
      '55',
      '45',
      '0',
      '170',
      '115',
      1,
      'settled',
      '170',
    ],
    [
      'TB1r',
      'AH KC 7D 2S QC|AS KD|QH QS',
      'dealer_wins',
      '0 0 0 0 80',
      '55',
      '55',
      '50',
      '80',
      '25',
      2,
      'recalculated',
      '-90',
    ],
    ['TB1v', 'AH KC 7D 2S QC|AS KD|QH QS', 'void', '10 20 10 10 5', '55', '0', '0', '55', '0', 3, 'void', '-25'],
  ),
  chain('ANTE 10, FLOP 20, TURN 10, BONUS 5', [
    'TB2',
    '7H 6C TD 2S KD|9H 8H|AS KC',
    'player_wins',
    '20 40 20 0',
    '45',
    '45',
    '5',
    '80',
    '35',
    1,
    'settled',
    '80',
  ]),
  chain('ANTE 10, FLOP 20, BONUS 5', [
    'TB3',
    'QS 5H 3C 8D 2H|JD JC|QD 4C',
    'dealer_wins',
    '0 0 55',
    '35',
    '35',
    '30',
    '55',
    '20',
    1,
    'settled',
    '55',
  ]),
  chain('ANTE 10, FLOP 20, TURN 10', [
    'TB4',
    'KS KD QC QH AS|AH 4D|AC 7S',
    'tie',
    '10 20 10',
    '40',
    '0',
    '0',
    '40',
    '0',
    1,
    'settled',
    '40',
  ]),
  chain('ANTE 10, BONUS 5', [
    'TB5',
    '9D JS 4H 3C KD|7C 2D|TS 8C',
    'fold',
    '0 0',
    '15',
    '15',
    '15',
    '0',
    '-15',
    1,
    'settled',
    '0',
  ]),
  chain('ANTE 10, FLOP 20, TURN 10, RIVER 10, BONUS 1', [
    'TB6',
    'KC 9H 6D 4S 2C|AS AH|AD AC',
    'tie',
    '10 20 10 10 1001',
    '51',
    '1',
    '0',
    '1051',
    '1000',
    1,
    'settled',
    '1051',
  ]),
]

type NiuNiuCells = readonly [
  name: string,
  code: string,
  mult: string,
  returns: string,
  stake: string,
  hold: string,
  validStake: string,
  rolling: string,
  payout: string,
  winLoss: string,
  rev: number,
  status: Revision['status'],
  delta: string,
]

const niuNiuCards: Readonly<Record<string, string>> = {
  '57A09': '5C|KS 7D 3C 8H 9S|QD TC JS 6H 4D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C',
  '18886': '6D|KH 6S 4C 5D 3H|KS TD JC 9H 9C|QS 7H 3D AC 7S|2C 2H 4S 8C KC',
  '630A8': 'JH|JD 8S 2H AH 2S|QC 9D 6H 3S 2C|KH KC 4S 5H AD|7S 7D 6S TC 8H',
  '3BCDA': '4D|KC QD JH QH KD|9S 9H 9D 9C 2S|AS AD 2H 3C 2D|TS 4C 6H 5D 5S',
  '0A80A': '4D|KC QD JH QH KD|9S 9H 9D 9C 2S|AS AD 2H 3C 2D|TS 4C 6H 5D 5S',
  '57909': '5C|KS 7D 3C 8H 9S|QD TC JS 6H 3D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C',
  '': '',
}

function niuNiuRevision(cells: NiuNiuCells): Revision {
  const [name, code, mult, returns, stake, hold, validStake, rolling, payout, winLoss, rev, status, delta] = cells
  const cardInfo = niuNiuCards[code]
  return {
    ...{
      name,
      code,
      returns: returns.split(' '),
      stake,
      hold,
      validStake,
      rolling,
      payout,
      winLoss,
      rev,
      status,
      delta,
    },
    ...(cardInfo === undefined ? {} : { cardInfo }),
    mult: Object.fromEntries(
      mult.split(' ').flatMap((pair) => {
        const [zone = '', times = ''] = pair.split('x')
        return zone === '' ? [] : [[zone, Number(times)]]
      }),
    ),
  }
}

/** 6.6, with the table of each slip: special hands on or off, and its commission. */
export const niuNiu: readonly (Chain & { special: boolean; commission: string | null })[] = [
  niuNiuChain(
    'P1E 100, P1D 100, P2D 50',
    ['NN1', '57A09', 'P1Dx3 P2Dx2', '200 600 50', '250', '300', '500', '100', '850', '300', 1, 'settled', '850'],
    ['NN1r', '57909', 'P1Dx2 P2Dx2', '200 500 50', '250', '300', '400', '100', '750', '200', 2, 'recalculated', '-100'],
    ['NN1v', '57909', 'P1Dx0 P2Dx0', '100 300 150', '250', '300', '0', '0', '550', '0', 3, 'void', '-200'],
  ),
  niuNiuChain('P1D 40, P2D 40, P3E 40', [
    'NN2',
    '18886',
    'P1Dx2 P2Dx2',
    '200 40 0',
    '120',
    '160',
    '200',
    '120',
    '240',
    '-40',
    1,
    'settled',
    '240',
  ]),
  niuNiuChain('P3E 30', ['NN3', '57A09', '', '60', '30', '0', '30', '0', '60', '30', 1, 'settled', '60']),
  niuNiuChain('P1D 100', [
    'NN4',
    '630A8',
    'P1Dx1',
    '200',
    '100',
    '200',
    '100',
    '100',
    '200',
    '-100',
    1,
    'settled',
    '200',
  ]),
  {
    ...niuNiuChain('P1D 10, P2E 10, P3D 10', [
      'NN5',
      '3BCDA',
      'P1Dx5 P3Dx5',
      '100 20 0',
      '30',
      '80',
      '110',
      '50',
      '120',
      '10',
      1,
      'settled',
      '120',
    ]),
    special: true,
  },
  niuNiuChain('P1D 10, P2E 10, P3D 10', [
    'NN6',
    '0A80A',
    'P1Dx3 P3Dx3',
    '0 0 0',
    '30',
    '40',
    '70',
    '70',
    '0',
    '-70',
    1,
    'settled',
    '0',
  ]),
  {
    ...niuNiuChain('P1E 100, P1D 100', [
      'NN7',
      '57A09',
      'P1Dx3',
      '195 585',
      '200',
      '200',
      '400',
      '0',
      '780',
      '380',
      1,
      'settled',
      '780',
    ]),
    commission: '0.05',
  },
  niuNiuChain('P2D 20', ['NN8v', '', 'P2Dx0', '60', '20', '40', '0', '0', '60', '0', 1, 'void', '60']),
  niuNiuChain('P1D 50, P2D 50, P3E 50', [
    'NN9',
    '1-8--',
    'P1Dx2 P2Dx0',
    '250 150 0',
    '150',
    '200',
    '150',
    '50',
    '400',
    '50',
    1,
    'settled',
    '400',
  ]),
]

function niuNiuChain(bets: string, ...rows: readonly NiuNiuCells[]) {
  return { bets: betsOf(bets), revisions: rows.map(niuNiuRevision), special: false, commission: null }
}

/** 6.6: the value of the daily summary for NN1: stake plus win/loss. */
export const summaryPayoutOfNN1 = '550'

type SeatCells = readonly [
  slip: string,
  putIn: string,
  uncalled: string,
  validStake: string,
  rolling: string,
  payout: string,
  winLoss: string,
  rake: string,
  code: string,
  rev: number,
  status: Revision['status'],
  delta: string,
]

/**
 * 5.3: the worked hands, seat by seat. The document lists contributions and outcomes; the cards and seats are ours, to
 * fit them.
 */
export const nlhe: readonly SeatCells[] = [
  ['H1 A', '29', '0', '29', '0', '56.05', '27.05', '2.95', 'win', 1, 'settled', '56.05'],
  ['H1 B', '1', '0', '1', '1', '0', '-1', '0', 'fold', 1, 'settled', '0'],
  ['H1 C', '29', '0', '29', '29', '0', '-29', '0', 'lose', 1, 'settled', '0'],
  ['H2 B', '16', '10', '6', '0', '21.4', '5.4', '0.6', 'win', 1, 'settled', '21.4'],
  ['H2 A', '6', '0', '6', '6', '0', '-6', '0', 'fold', 1, 'settled', '0'],
  ['H3 A', '6', '4', '2', '0', '9', '3', '0', 'win', 1, 'settled', '9'],
  ['H3 C', '2', '0', '2', '2', '0', '-2', '0', 'fold', 1, 'settled', '0'],
  ['H4 S', '50', '0', '50', '0', '144', '94', '6', 'win', 1, 'settled', '144'],
  ['H4 L', '300', '180', '120', '50', '320', '20', '0', 'win', 1, 'settled', '320'],
  ['H4 M', '120', '0', '120', '120', '0', '-120', '0', 'lose', 1, 'settled', '0'],
  ['H5 C', '10', '0', '10', '0', '9.98', '-0.02', '0.52', 'split', 1, 'settled', '9.98'],
  ['H5 A', '10', '0', '10', '0', '9.97', '-0.03', '0.53', 'split', 1, 'settled', '9.97'],
  ['H6 S', '20', '0', '20', '0', '76', '56', '4', 'win', 1, 'settled', '76'],
  ['H6 M', '60', '0', '60', '20', '49', '-11', '1', 'split', 1, 'settled', '49'],
  ['H6 L', '60', '0', '60', '20', '49', '-11', '1', 'split', 1, 'settled', '49'],
  ['H6 F', '40', '0', '40', '40', '0', '-40', '0', 'fold', 1, 'settled', '0'],
  ['H1r A', '29', '0', '29', '29', '0', '-29', '0', 'lose', 2, 'recalculated', '-56.05'],
  ['H1r C', '29', '0', '29', '0', '56.05', '27.05', '2.95', 'win', 2, 'recalculated', '56.05'],
  ['H1r B', '1', '0', '1', '1', '0', '-1', '0', 'fold', 2, 'recalculated', '0'],
  ['H1v A', '29', '29', '0', '0', '29', '0', '0', 'void', 3, 'void', '29'],
  ['H1v C', '29', '29', '0', '0', '29', '0', '0', 'void', 3, 'void', '-27.05'],
  ['H1v B', '1', '1', '0', '0', '1', '0', '0', 'void', 3, 'void', '1'],
]

interface Seat {
  readonly who: string
  readonly seat: number
  readonly hole: string
  readonly put: string
  readonly folded: boolean
}

/** Cards for those hands: A on the button in seat 1, B small blind in seat 2, C big blind in seat 3. */
export const nlheHands: readonly {
  hand: string
  board: string
  corrected: string | null
  button: number
  seats: readonly Seat[]
}[] = [
  {
    hand: 'H1',
    board: '2C 7D JH 4S 9C',
    corrected: '2C 7D JH 4S QC',
    button: 1,
    seats: [
      { who: 'A', seat: 1, hole: '9S 9D', put: '29', folded: false },
      { who: 'B', seat: 2, hole: '3S 8H', put: '1', folded: true },
      { who: 'C', seat: 3, hole: 'QS QH', put: '29', folded: false },
    ],
  },
  {
    hand: 'H2',
    board: '2C 7D JH 4S',
    corrected: null,
    button: 1,
    seats: [
      { who: 'A', seat: 1, hole: '9S 9D', put: '6', folded: true },
      { who: 'B', seat: 2, hole: 'AS AD', put: '16', folded: false },
    ],
  },
  {
    hand: 'H3',
    board: '',
    corrected: null,
    button: 1,
    seats: [
      { who: 'A', seat: 1, hole: '9S 9D', put: '6', folded: false },
      { who: 'B', seat: 2, hole: '3S 8H', put: '1', folded: true },
      { who: 'C', seat: 3, hole: 'QS 4H', put: '2', folded: true },
    ],
  },
  {
    hand: 'H4',
    board: '2C 7D JH 4S 9C',
    corrected: null,
    button: 1,
    seats: [
      { who: 'S', seat: 1, hole: 'JS JD', put: '50', folded: false },
      { who: 'L', seat: 2, hole: 'AS AD', put: '300', folded: false },
      { who: 'M', seat: 3, hole: 'KS KD', put: '120', folded: false },
    ],
  },
  {
    hand: 'H5',
    board: '2C 7D JH 4S 9C',
    corrected: null,
    button: 1,
    seats: [
      { who: 'A', seat: 1, hole: 'AS KD', put: '10', folded: false },
      { who: 'B', seat: 2, hole: '3S 8H', put: '1', folded: true },
      { who: 'C', seat: 3, hole: 'AD KS', put: '10', folded: false },
    ],
  },
  {
    hand: 'H6',
    board: '2C 7D JH 4S 9C',
    corrected: null,
    button: 1,
    seats: [
      { who: 'S', seat: 1, hole: 'JS JD', put: '20', folded: false },
      { who: 'M', seat: 2, hole: 'AS KD', put: '60', folded: false },
      { who: 'L', seat: 3, hole: 'AD KS', put: '60', folded: false },
      { who: 'F', seat: 4, hole: '3S 8H', put: '40', folded: true },
    ],
  },
]
