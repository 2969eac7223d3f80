import { describe, expect, test } from 'vitest'
import { createTable } from '../../../../src/services/casino/admin/index.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { dealExactly, type ExactResult } from '../../../../src/services/casino/simulator/index.ts'
import { allBets, aPlayer, aTenant, balanceOf } from '../../../support/worlds/people.ts'
import { shared } from '../../shared.ts'
import * as book from './slips.ts'

/** The worked slips, each dealt exactly at a table and read as tenants read them. */

const commissions = book.niuNiu.flatMap(({ commission }) => commission ?? [])

const tenant = shared(async (world) => {
  const tables = ['BAC-01', 'DT-01', 'HE-01', 'HE-02', 'HE-03', 'NN-01', 'NN-02']
  const made = await aTenant(world, { code: 'BOOK', tables })
  for (const commission of commissions) {
    await createTable(world.casino, 'BOOK', { tableId: `NN-${commission}`, game: 'niuniu', settings: { commission } })
    await made.client.enableTable({ body: { tableId: `NN-${commission}` } })
  }
  return made
})

/** The records of a round, as GET /bets returns them. */
async function recordsOf(roundId: string): Promise<BetRecord[]> {
  const { items } = await allBets(tenant())
  return items.filter((record) => record.roundId === roundId)
}

const returnsOf = (record: BetRecord) => record.bets.map((leg) => leg.return)
const multsOf = (record: BetRecord) =>
  Object.fromEntries(record.bets.flatMap(({ zone, mult }) => (mult === undefined ? [] : [[zone, mult]])))

interface Play {
  readonly tableId: string
  readonly variant: string
  readonly slip?: object
  /** Event of the table for a revision's result. */
  result(revision: book.Revision): ExactResult
}

async function expectChain({ bets, revisions }: book.Chain, { tableId, variant, slip = {}, result }: Play) {
  const player = await aPlayer(tenant(), { balance: '10000' })
  const [first, ...later] = revisions
  if (!first) throw new Error('a chain has a first revision')
  const exact = {
    tableId,
    variant,
    slips: [{ username: player.username, bets, ...slip }],
    ...(first.status === 'void' ? { void: true } : result(first)),
    then: later.map((each) => (each.status === 'void' ? ({ void: true } as const) : { correct: result(each) })),
  }
  const { roundId } = await dealExactly(tenant().world.casino, tenant().code, exact)
  const records = await recordsOf(roundId)
  const { hold } = first
  expect(
    records.map((record) => ({
      ...{ rev: record.rev, status: record.status, cardInfo: record.result.cardInfo, code: record.result.code },
      ...{ returns: returnsOf(record), stake: record.stake, validStake: record.validStake, rolling: record.rolling },
      ...{ payout: record.payout, winLoss: record.winLoss, delta: record.delta },
      ...(hold === undefined ? {} : { hold: record.hold, mult: multsOf(record) }),
    })),
  ).toEqual(revisions.map(({ name, cardInfo = '', ...rest }) => ({ ...rest, cardInfo })))
  expect(records.map((record) => record.variant)).toEqual(revisions.map(() => variant))
  // 1.5: the deltas add up to the last payout, and the balance has moved by the last win or loss.
  const units = (text: string) => Math.round(Number(text) * 10_000)
  const last = revisions.at(-1)
  expect(records.reduce((sum, { delta }) => sum + units(delta), 0)).toBe(units(last?.payout ?? ''))
  expect(units(await balanceOf(player))).toBe(units('10000') + units(last?.winLoss ?? ''))
}

const named = <C extends book.Chain>(chains: readonly C[]) =>
  chains.map((chain) => ({ chain, name: chain.revisions.map((each) => each.name).join(', ') }))
const byCards = ({ cardInfo = '' }: book.Revision) => ({ cardInfo })

test.each(named(book.baccaratClassic))('2.6: $name', async ({ chain }) => {
  await expectChain(chain, { tableId: 'BAC-01', variant: 'classic', result: byCards })
})

test.each(named(book.baccaratNocomm))('2.6: $name', async ({ chain }) => {
  await expectChain(chain, { tableId: 'BAC-01', variant: 'nocomm', result: byCards })
})

test.each(named(book.dragonTiger))('3.4: $name', async ({ chain }) => {
  await expectChain(chain, { tableId: 'DT-01', variant: 'standard', result: byCards })
})

describe.each([
  { section: '5.1', variant: 'casino', tableId: 'HE-01', chains: book.casinoHoldem },
  { section: '5.2', variant: 'thbp', tableId: 'HE-02', chains: book.bonusPoker },
])('$section', ({ variant, tableId, chains }) => {
  test.each(named(chains))('$name', async ({ chain }) => {
    const [, hole = ''] = chain.revisions[0]?.cardInfo?.split('|') ?? []
    const result = ({ cardInfo = '' }: book.Revision) => {
      const [board, , dealer] = cardInfo.split('|')
      return { cardInfo: `${board}||${dealer}` }
    }
    const folded = chain.revisions[0]?.code === 'fold'
    await expectChain(chain, { tableId, variant, slip: { hole, ...(folded ? { folded } : {}) }, result })
  })
})

test.each(named(book.niuNiu))('6.6: $name', async ({ chain }) => {
  const tableId = chain.commission ? `NN-${chain.commission}` : chain.special ? 'NN-02' : 'NN-01'
  const result = ({ cardInfo, code }: book.Revision) => (cardInfo === undefined ? { code } : { cardInfo })
  await expectChain(chain, { tableId, variant: 'standard', result })
})

test('6.6: the summary payout of NN1 is stake plus win/loss', async () => {
  const { username } = await aPlayer(tenant(), { balance: '10000' })
  const { bets = {}, revisions = [] } = book.niuNiu[0] ?? {}
  const slips = [{ username, bets }]
  const cardInfo = revisions[0]?.cardInfo ?? ''
  await dealExactly(tenant().world.casino, tenant().code, { tableId: 'NN-01', cardInfo, slips })
  const { players } = await tenant().client.summary({ query: { date: '2026-03-10' } })
  expect(players.find((each) => each.username === username)?.payout).toBe(book.summaryPayoutOfNN1)
})

describe('5.3', () => {
  test.each(book.nlheHands)('$hand', async ({ hand, board, corrected, button, seats }) => {
    const players = await Promise.all(seats.map(() => aPlayer(tenant(), { balance: '10000' })))
    const slips = seats.map(({ seat, hole, put, folded }, i) => ({
      ...{ username: players[i]?.username ?? '', seat, hole, bets: { POT: put } },
      ...(folded ? { folded } : {}),
    }))
    const then = corrected === null ? [] : [{ correct: { cardInfo: corrected } }, { void: true } as const]
    const order = { tableId: 'HE-03', cardInfo: board, button, slips, then }
    const { roundId } = await dealExactly(tenant().world.casino, tenant().code, order)
    const records = await recordsOf(roundId)
    const rows = book.nlhe.filter(([slip]) => new RegExp(`^${hand}[rv]? `).test(slip))
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) {
      const [slip, putIn, uncalled, validStake, rolling, payout, winLoss, rake, code, rev, status, delta] = row
      const place = seats.findIndex(({ who }) => who === slip.split(' ')[1])
      const record = records.find((each) => each.rev === rev && each.username === players[place]?.username)
      expect({ slip, returned: record?.bets[0]?.return, ...record }).toMatchObject({
        ...{ slip, returned: uncalled, stake: putIn, validStake, rolling, payout, winLoss, rake, rev, status, delta },
        hand: { outcome: code },
        result: { code, cardInfo: `${rev === 1 ? board : corrected}|${seats[place]?.hole}` },
      })
    }
  })
})
