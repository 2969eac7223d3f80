import { describe, expect, test } from 'vitest'
import type { BetRecord } from '../../../src/services/casino/api/schemas/index.ts'
import { dealExactly, type ExactResult, type ExactRound } from '../../../src/services/casino/simulator/index.ts'
import { type Row, rowsOf } from '../../domain/games/worked.ts'
import { allBets, aPlayer, aTenant, balanceOf, type TestTenant } from '../../support/worlds/people.ts'
import { testWorld } from '../../support/worlds/world.ts'
import { allTables } from './every-table.ts'

/** The worked slips of Hold'em and Niu Niu, each dealt exactly and read as the bet records that tenants get. */

async function aTenantWithPlayers() {
  const tenant = await aTenant(await testWorld(), { code: 'WORKED', tables: allTables })
  for (const username of ['amy', 'bob', 'cho', 'dee']) await aPlayer(tenant, { username, balance: '10000' })
  return tenant
}

/** The records of a round in the tenant's sync, by revision. */
async function pulled(tenant: TestTenant, roundId: string): Promise<BetRecord[][]> {
  const { items } = await allBets(tenant)
  const revisions = Map.groupBy(
    items.filter((record) => record.roundId === roundId),
    (record) => record.rev,
  )
  return [...revisions.values()]
}

const bets = (text: string) => Object.fromEntries(text.split(', ').map((part) => part.split(' ') as [string, string]))

/** A row of the tables in the format of a bet record. */
function spelled(record: BetRecord): Row {
  return {
    code: record.result.code,
    returns: record.bets.map((leg) => `${leg.zone} ${leg.return}`).join(', '),
    mult: record.bets.flatMap((leg) => (leg.mult === undefined ? [] : [`${leg.zone} x${leg.mult}`])).join(', ') || '-',
    uncalled: record.bets[0]?.return ?? '',
    stake: record.stake,
    hold: record.hold ?? '',
    validStake: record.validStake,
    rolling: record.rolling,
    payout: record.payout,
    winLoss: record.winLoss,
    rake: record.rake ?? '',
    'rev, status': `${record.rev} ${record.status}`,
    delta: record.delta,
  }
}

function expectRow(row: Row, record: BetRecord | undefined) {
  if (!record) throw new Error(`no record of ${row['slip']}`)
  const got = spelled(record)
  const named = Object.keys(got).filter((column) => column in row)
  const pick = (of: Row) => Object.fromEntries(named.map((column) => [column, of[column]]))
  expect(pick(got)).toEqual(pick(row))
}

/** The rows of one slip: the first, its correction, its void. */
function chains(rows: readonly Row[]): Row[][] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const base = (row['slip'] ?? '').replace(/[rv]( |$)/, '$1')
    groups.set(base, [...(groups.get(base) ?? []), row])
  }
  return [...groups.values()]
}

const isVoid = (row: Row) => (row['rev, status'] ?? '').endsWith('void')

/** Deals a chain of revisions with one slip of amy's, and returns her record of each. */
async function played(
  chain: readonly Row[],
  round: Pick<ExactRound, 'tableId'>,
  hand: object,
  result: (row: Row) => ExactResult,
  settings?: object,
) {
  const tenant = await aTenantWithPlayers()
  if (settings)
    await tenant.world.store.write((tx) =>
      tx.q
        .updateTable('casino_tables')
        .set({ settings: JSON.stringify(settings) })
        .where('table_id', '=', round.tableId)
        .execute(),
    )
  const [first, ...later] = chain
  if (!first) throw new Error('no row')
  const slips = [{ username: 'amy', bets: bets(first['bets'] ?? ''), ...hand }]
  const then = later.map((row) => (isVoid(row) ? ({ void: true } as const) : { correct: result(row) }))
  const { roundId, revisions } = await dealExactly(tenant.world.casino, tenant.code, {
    ...round,
    ...(isVoid(first) ? { void: true } : result(first)),
    slips,
    then,
  })
  const records = (await pulled(tenant, roundId)).map(([record]) => record)
  expect(records).toEqual(revisions.map(({ bets: [record] }) => record))
  const last = chain.at(-1)
  expect(await balanceOf({ tenant, username: 'amy', currency: 'USD' })).toBe(String(10_000 + Number(last?.['winLoss'])))
  return { records, revisions }
}

const holdemCards: Record<string, string> = {
  CH1: 'AH 7C 2D 9S 4H|AS KD|QH 4D',
  CH2: '2H 7H QH 3C 8D|KH 9H|JS TC',
  CH3: 'KC JD 9H 7S 2D|5S 4C|AH 3C',
  CH4: 'TS JD QC KH AS|2C 2D|5H 6H',
  CH5: 'KS QH 5D 6C 9S|8D 3C|TD 2H',
  CH6: 'AS AD 7C QS TC|3H 2D|KC 9D',
  CH7: '4S 8D KC KD 2S|JH JC|KS 6C',
  CH8: 'QD JD TD 2C 2H|AD KD|9S 9C',
  CH7r: '4S 8D KC KD JS|JH JC|KS 6C',
  CH7v: '4S 8D KC KD JS|JH JC|KS 6C',
  TB1: 'AH KC 7D 2S 9C|AS KD|QH QS',
  TB2: '7H 6C TD 2S KD|9H 8H|AS KC',
  TB3: 'QS 5H 3C 8D 2H|JD JC|QD 4C',
  TB4: 'KS KD QC QH AS|AH 4D|AC 7S',
  TB5: '9D JS 4H 3C KD|7C 2D|TS 8C',
  TB6: 'KC 9H 6D 4S 2C|AS AH|AD AC',
  TB1r: 'AH KC 7D 2S QC|AS KD|QH QS',
  TB1v: 'AH KC 7D 2S QC|AS KD|QH QS',
}

describe.each([
  {
    tableId: 'HE-01',
    rows: rowsOf(`
    | slip | code | bets | returns | stake | validStake | rolling | payout | winLoss | rev, status | delta |
    | CH1 | player_wins | ANTE 10, CALL 20, AAB 5 | ANTE 20, CALL 40, AAB 40 | 35 | 35 | 0 | 100 | 65 | 1 settled | 100 |
    | CH2 | dealer_not_qualified | ANTE 10, CALL 20, AAB 5 | ANTE 30, CALL 20, AAB 105 | 35 | 15 | 0 | 155 | 120 | 1 settled | 155 |
    | CH3 | dealer_not_qualified | ANTE 10, CALL 20 | ANTE 20, CALL 20 | 30 | 10 | 0 | 40 | 10 | 1 settled | 40 |
    | CH4 | tie | ANTE 10, CALL 20, AAB 5 | ANTE 10, CALL 20, AAB 0 | 35 | 5 | 5 | 30 | -5 | 1 settled | 30 |
    | CH5 | fold | ANTE 10, AAB 5 | ANTE 0, AAB 0 | 15 | 15 | 15 | 0 | -15 | 1 settled | 0 |
    | CH6 | fold | ANTE 10, AAB 5 | ANTE 0, AAB 40 | 15 | 15 | 10 | 40 | 25 | 1 settled | 40 |
    | CH7 | dealer_wins | ANTE 25, CALL 50 | ANTE 0, CALL 0 | 75 | 75 | 75 | 0 | -75 | 1 settled | 0 |
    | CH8 | player_wins | ANTE 10, CALL 20, AAB 5 | ANTE 1010, CALL 40, AAB 505 | 35 | 35 | 0 | 1555 | 1520 | 1 settled | 1555 |
    | CH7r | player_wins | ANTE 25, CALL 50 | ANTE 100, CALL 100 | 75 | 75 | 0 | 200 | 125 | 2 recalculated | 200 |
    | CH7v | void | ANTE 25, CALL 50 | ANTE 25, CALL 50 | 75 | 0 | 0 | 75 | 0 | 3 void | -125 |
    `),
  },
  {
    tableId: 'HE-02',
    rows: rowsOf(`
    | slip | code | bets | returns | stake | validStake | rolling | payout | winLoss | rev, status | delta |
    | TB1 | player_wins | ANTE 10, FLOP 20, TURN 10, RIVER 10, BONUS 5 | ANTE 10, FLOP 40, TURN 20, RIVER 20, BONUS 80 | 55 | 45 | 0 | 170 | 115 | 1 settled | 170 |
    | TB2 | player_wins | ANTE 10, FLOP 20, TURN 10, BONUS 5 | ANTE 20, FLOP 40, TURN 20, BONUS 0 | 45 | 45 | 5 | 80 | 35 | 1 settled | 80 |
    | TB3 | dealer_wins | ANTE 10, FLOP 20, BONUS 5 | ANTE 0, FLOP 0, BONUS 55 | 35 | 35 | 30 | 55 | 20 | 1 settled | 55 |
    | TB4 | tie | ANTE 10, FLOP 20, TURN 10 | ANTE 10, FLOP 20, TURN 10 | 40 | 0 | 0 | 40 | 0 | 1 settled | 40 |
    | TB5 | fold | ANTE 10, BONUS 5 | ANTE 0, BONUS 0 | 15 | 15 | 15 | 0 | -15 | 1 settled | 0 |
    | TB6 | tie | ANTE 10, FLOP 20, TURN 10, RIVER 10, BONUS 1 | ANTE 10, FLOP 20, TURN 10, RIVER 10, BONUS 1001 | 51 | 1 | 0 | 1051 | 1000 | 1 settled | 1051 |
    | TB1r | dealer_wins | ANTE 10, FLOP 20, TURN 10, RIVER 10, BONUS 5 | ANTE 0, FLOP 0, TURN 0, RIVER 0, BONUS 80 | 55 | 55 | 50 | 80 | 25 | 2 recalculated | -90 |
    | TB1v | void | ANTE 10, FLOP 20, TURN 10, RIVER 10, BONUS 5 | ANTE 10, FLOP 20, TURN 10, RIVER 10, BONUS 5 | 55 | 0 | 0 | 55 | 0 | 3 void | -25 |
    `),
  },
])('against the dealer at $tableId', ({ tableId, rows }) => {
  test.each(chains(rows).map((chain) => ({ chain, name: chain.map((row) => row['slip']).join(', ') })))(
    '$name',
    async ({ chain }) => {
      const cardsOf = (row: Row) => (holdemCards[row['slip'] ?? ''] ?? '').split('|')
      const [, hole = ''] = cardsOf(chain[0] ?? {})
      const result = (row: Row) => {
        const [board, , dealer] = cardsOf(row)
        return { cardInfo: `${board}||${dealer}` }
      }
      const folded = chain[0]?.['code'] === 'fold'
      const { records, revisions } = await played(chain, { tableId }, { hole, ...(folded ? { folded } : {}) }, result)
      for (const [i, row] of chain.entries()) {
        const record = records[i]
        expectRow(row, record)
        const cards = holdemCards[row['slip'] ?? '']
        expect(record?.result.cardInfo).toBe(cards)
        expect(record).toMatchObject({ shoe: '', rake: '0', onsite: false })
        expect(record?.hand).toEqual({ handId: record?.roundId, no: record?.round, outcome: row['code'], cards })
        const [board, , dealer] = cardsOf(row)
        expect(revisions[i]?.round).toMatchObject({ code: null, result: null, cardInfo: `${board}||${dealer}` })
      }
    },
  )
})

describe('Niu Niu', () => {
  const deals: Record<string, string> = {
    '57A09': '5C|KS 7D 3C 8H 9S|QD TC JS 6H 4D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C',
    '18886': '6D|KH 6S 4C 5D 3H|KS TD JC 9H 9C|QS 7H 3D AC 7S|2C 2H 4S 8C KC',
    '630A8': 'JH|JD 8S 2H AH 2S|QC 9D 6H 3S 2C|KH KC 4S 5H AD|7S 7D 6S TC 8H',
    '3BCDA': '4D|KC QD JH QH KD|9S 9H 9D 9C 2S|AS AD 2H 3C 2D|TS 4C 6H 5D 5S',
    '0A80A': '4D|KC QD JH QH KD|9S 9H 9D 9C 2S|AS AD 2H 3C 2D|TS 4C 6H 5D 5S',
    '57909': '5C|KS 7D 3C 8H 9S|QD TC JS 6H 3D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C',
  }
  const rows = rowsOf(`
    | slip | bets | code | mult | returns | stake | hold | validStake | rolling | payout | winLoss | rev, status | delta |
    | NN1 | P1E 100, P1D 100, P2D 50 | 57A09 | P1D x3, P2D x2 | P1E 200, P1D 600, P2D 50 | 250 | 300 | 500 | 100 | 850 | 300 | 1 settled | 850 |
    | NN2 | P1D 40, P2D 40, P3E 40 | 18886 | P1D x2, P2D x2 | P1D 200, P2D 40, P3E 0 | 120 | 160 | 200 | 120 | 240 | -40 | 1 settled | 240 |
    | NN3 | P3E 30 | 57A09 | - | P3E 60 | 30 | 0 | 30 | 0 | 60 | 30 | 1 settled | 60 |
    | NN4 | P1D 100 | 630A8 | P1D x1 | P1D 200 | 100 | 200 | 100 | 100 | 200 | -100 | 1 settled | 200 |
    | NN5 | P1D 10, P2E 10, P3D 10 | 3BCDA | P1D x5, P3D x5 | P1D 100, P2E 20, P3D 0 | 30 | 80 | 110 | 50 | 120 | 10 | 1 settled | 120 |
    | NN6 | P1D 10, P2E 10, P3D 10 | 0A80A | P1D x3, P3D x3 | P1D 0, P2E 0, P3D 0 | 30 | 40 | 70 | 70 | 0 | -70 | 1 settled | 0 |
    | NN7 | P1E 100, P1D 100 | 57A09 | P1D x3 | P1E 195, P1D 585 | 200 | 200 | 400 | 0 | 780 | 380 | 1 settled | 780 |
    | NN1r | P1E 100, P1D 100, P2D 50 | 57909 | P1D x2, P2D x2 | P1E 200, P1D 500, P2D 50 | 250 | 300 | 400 | 100 | 750 | 200 | 2 recalculated | -100 |
    | NN1v | P1E 100, P1D 100, P2D 50 | 57909 | P1D x0, P2D x0 | P1E 100, P1D 300, P2D 150 | 250 | 300 | 0 | 0 | 550 | 0 | 3 void | -200 |
    | NN8v | P2D 20 | | P2D x0 | P2D 60 | 20 | 40 | 0 | 0 | 60 | 0 | 1 void | 60 |
    | NN9 | P1D 50, P2D 50, P3E 50 | 1-8-- | P1D x2, P2D x0 | P1D 250, P2D 150, P3E 0 | 150 | 200 | 150 | 50 | 400 | 50 | 1 settled | 400 |
  `)
  test.each(chains(rows).map((chain) => ({ chain, name: chain.map((row) => row['slip']).join(', ') })))(
    '$name',
    async ({ chain }) => {
      const result = (row: Row) => {
        const cardInfo = deals[row['code'] ?? '']
        return cardInfo === undefined ? { code: row['code'] ?? '' } : { cardInfo }
      }
      const slip = chain[0]?.['slip']
      const tableId = slip === 'NN5' ? 'NN-02' : 'NN-01'
      const { records, revisions } = await played(
        chain,
        { tableId },
        {},
        result,
        slip === 'NN7' ? { commission: '0.05' } : undefined,
      )
      for (const [i, row] of chain.entries()) {
        const record = records[i]
        expectRow(row, record)
        expect(record?.result.cardInfo).toBe(deals[row['code'] ?? ''] ?? '')
        expect(Object.keys(record?.result ?? {})).toEqual(
          isVoid(row) ? ['code', 'cardInfo'] : ['code', 'cardInfo', 'hands', 'winners'],
        )
        expect(revisions[i]?.round.shoe).toBe('1')
        if (row['code'] === '1-8--')
          expect(revisions[i]?.round).toMatchObject({ complete: false, cardInfo: null, result: { hands: { P1: 8 } } })
      }
    },
  )
})

// Rulebook 6.3: spade > heart > club > diamond. No hand has a bull and all have the same five ranks, so the king's suit
// decides.
describe('Niu Niu kings of different suits', () => {
  const handIn = (suit: string) => ['K', '9', '6', '3', '2'].map((rank) => rank + suit).join(' ')
  test.each([
    ['D', 'C H S', '70000', '60'],
    ['C', 'D H S', '60000', '40'],
    ['H', 'D C S', '40000', '20'],
    ['S', 'D C H', '00000', '0'],
  ])('a banker with the king of %s against %s is paid as %s', async (banker, players, code, payout) => {
    const cardInfo = ['AS', ...[banker, ...players.split(' ')].map(handIn)].join('|')
    const tenant = await aTenantWithPlayers()
    const slips = [{ username: 'amy', bets: { P1E: '10', P2E: '10', P3E: '10' } }]
    const { roundId } = await dealExactly(tenant.world.casino, tenant.code, { tableId: 'NN-01', cardInfo, slips })
    expect((await pulled(tenant, roundId)).flat()).toMatchObject([{ payout, result: { code } }])
  })
})

describe('player against player', () => {
  const board = 'KC 8D 3S 5H 2C'
  const A = { seat: 1, hole: 'KS KD' }
  const B = { seat: 2, hole: '7H 4D', folded: true }
  const C = { seat: 3, hole: '8S 8H' }
  type Seat = { seat: number; hole: string; folded?: boolean; put: string }
  const hands: Record<string, { board: string; correct?: string; button: number; seats: Record<string, Seat> }> = {
    H1: {
      board,
      button: 1,
      correct: 'KC 8D 3S 5H 8C',
      seats: { A: { ...A, put: '29' }, B: { ...B, put: '1' }, C: { ...C, put: '29' } },
    },
    H2: {
      board: 'KC 8D 3S 5H',
      button: 1,
      seats: { A: { ...A, put: '6', folded: true }, B: { ...B, put: '16', folded: false } },
    },
    H3: {
      board: '',
      button: 1,
      seats: { A: { ...A, put: '6' }, B: { ...B, put: '1' }, C: { ...C, put: '2', folded: true } },
    },
    H4: {
      board,
      button: 1,
      seats: {
        S: { seat: 4, hole: 'KS KD', put: '50' },
        L: { seat: 5, hole: '8S 8H', put: '300' },
        M: { seat: 6, hole: 'AS QD', put: '120' },
      },
    },
    H5: {
      board: 'AS KS QD JC TH',
      button: 1,
      seats: {
        A: { seat: 1, hole: '2S 2D', put: '10' },
        B: { ...B, put: '1' },
        C: { seat: 3, hole: '3S 3D', put: '10' },
      },
    },
    H6: {
      board,
      button: 1,
      seats: {
        S: { seat: 4, hole: 'KS KD', put: '20' },
        M: { seat: 5, hole: 'AS QD', put: '60' },
        L: { seat: 6, hole: 'AH QS', put: '60' },
        F: { seat: 7, hole: '7S 6S', put: '40', folded: true },
      },
    },
  }
  const rows = rowsOf(`
    | slip | stake | uncalled | validStake | rolling | payout | winLoss | rake | code | rev, status | delta |
    | H1 A | 29 | 0 | 29 | 0 | 56.05 | 27.05 | 2.95 | win | 1 settled | 56.05 |
    | H1 B | 1 | 0 | 1 | 1 | 0 | -1 | 0 | fold | 1 settled | 0 |
    | H1 C | 29 | 0 | 29 | 29 | 0 | -29 | 0 | lose | 1 settled | 0 |
    | H2 B | 16 | 10 | 6 | 0 | 21.4 | 5.4 | 0.6 | win | 1 settled | 21.4 |
    | H2 A | 6 | 0 | 6 | 6 | 0 | -6 | 0 | fold | 1 settled | 0 |
    | H3 A | 6 | 4 | 2 | 0 | 9 | 3 | 0 | win | 1 settled | 9 |
    | H3 C | 2 | 0 | 2 | 2 | 0 | -2 | 0 | fold | 1 settled | 0 |
    | H4 S | 50 | 0 | 50 | 0 | 144 | 94 | 6 | win | 1 settled | 144 |
    | H4 L | 300 | 180 | 120 | 50 | 320 | 20 | 0 | win | 1 settled | 320 |
    | H4 M | 120 | 0 | 120 | 120 | 0 | -120 | 0 | lose | 1 settled | 0 |
    | H5 C | 10 | 0 | 10 | 0 | 9.98 | -0.02 | 0.52 | split | 1 settled | 9.98 |
    | H5 A | 10 | 0 | 10 | 0 | 9.97 | -0.03 | 0.53 | split | 1 settled | 9.97 |
    | H6 S | 20 | 0 | 20 | 0 | 76 | 56 | 4 | win | 1 settled | 76 |
    | H6 M | 60 | 0 | 60 | 20 | 49 | -11 | 1 | split | 1 settled | 49 |
    | H6 L | 60 | 0 | 60 | 20 | 49 | -11 | 1 | split | 1 settled | 49 |
    | H6 F | 40 | 0 | 40 | 40 | 0 | -40 | 0 | fold | 1 settled | 0 |
    | H1r A | 29 | 0 | 29 | 29 | 0 | -29 | 0 | lose | 2 recalculated | -56.05 |
    | H1r C | 29 | 0 | 29 | 0 | 56.05 | 27.05 | 2.95 | win | 2 recalculated | 56.05 |
    | H1r B | 1 | 0 | 1 | 1 | 0 | -1 | 0 | fold | 2 recalculated | 0 |
    | H1v A | 29 | 29 | 0 | 0 | 29 | 0 | 0 | void | 3 void | 29 |
    | H1v C | 29 | 29 | 0 | 0 | 29 | 0 | 0 | void | 3 void | -27.05 |
    | H1v B | 1 | 1 | 0 | 0 | 1 | 0 | 0 | void | 3 void | 1 |
  `)
  const players = ['amy', 'bob', 'cho', 'dee']

  test.each(Object.entries(hands))('%s', async (name, hand) => {
    const tenant = await aTenantWithPlayers()
    const seats = Object.entries(hand.seats)
    const slips = seats.map(([, { put, ...seat }], i) => ({ username: players[i] ?? '', bets: { POT: put }, ...seat }))
    const then = hand.correct === undefined ? [] : [{ correct: { cardInfo: hand.correct } }, { void: true } as const]
    const input = { tableId: 'HE-03', cardInfo: hand.board, button: hand.button, slips, then }
    const { roundId, revisions } = await dealExactly(tenant.world.casino, tenant.code, input)
    const read = await pulled(tenant, roundId)
    for (const [i, { bets: written, round }] of revisions.entries()) {
      const records = read[i] ?? []
      expect(records).toEqual(written)
      for (const [index, [who, seat]] of seats.entries()) {
        const record = records.find((each) => each.username === players[index])
        const row = rows.find((each) => each['slip'] === `${name}${['', 'r', 'v'][i]} ${who}`)
        if (row) expectRow(row, record)
        expect(record?.result.cardInfo).toBe(`${i === 0 ? hand.board : hand.correct}|${seat.hole}`)
      }
      expect(round).toMatchObject({ code: null, result: null, cardInfo: i === 0 ? hand.board : hand.correct })
      const sum = (field: 'winLoss' | 'rake') =>
        records.reduce((total, each) => total + Math.round(Number(each[field]) * 100), 0)
      expect(sum('winLoss')).toBe(-sum('rake') + 0)
    }
  })

  test('the seat of a studio guest is reported as onsite, moves no balance and stays out of the daily summary', async () => {
    const tenant = await aTenantWithPlayers()
    const slips = [
      { username: 'amy', seat: 1, hole: 'KS KD', bets: { POT: '29' } },
      { username: 'guest-3', seat: 3, hole: '8S 8H', bets: { POT: '29' }, onsite: true },
    ]
    const input = { tableId: 'HE-03', cardInfo: board, button: 1, slips }
    const { revisions } = await dealExactly(tenant.world.casino, tenant.code, input)
    const onsite = Object.fromEntries((revisions[0]?.bets ?? []).map((record) => [record.username, record.onsite]))
    expect(onsite).toEqual({ amy: false, 'guest-3': true })
    expect(await balanceOf({ tenant, username: 'amy', currency: 'USD' })).toBe('10026.1')
    const summary = await tenant.client.summary({ query: { date: '2026-03-10' } })
    expect(summary.players.map((player) => player.username)).toEqual(['amy'])
  })
})
