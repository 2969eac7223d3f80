import { describe, expect, test } from 'vitest'
import { baccarat } from '../../../../src/domain/games/baccarat.ts'
import { dragonTiger } from '../../../../src/domain/games/dragon-tiger.ts'
import { formatAmount } from '../../../../src/domain/money.ts'
import { allBets, aPlayer, aRound, aTenant } from '../../../support/worlds/people.ts'
import { shared } from '../../shared.ts'
import { settled } from '../ask.ts'
import { zones as baccaratZones } from './baccarat.ts'
import { zones as dragonTigerZones } from './dragon-tiger.ts'
import * as book from './slip-rules.ts'

/** 100 on one zone and 30 on another count 70 if the two hedge, and 130 if they do not. */
describe('1.4: of all pairs of zones only those of the table hedge', () => {
  const games = [
    { game: baccarat, variant: 'nocomm' as const, settings: {}, zones: baccaratZones.nocomm, cards: 'KS4H7D2C----' },
    {
      game: dragonTiger,
      variant: 'standard' as const,
      settings: { sideBets: true },
      zones: [...dragonTigerZones.always, ...dragonTigerZones.whenTurnedOn],
      cards: '3SJD',
    },
  ]
  const rows = games.flatMap(({ zones, ...rest }) =>
    zones.flatMap((one, i) => zones.slice(i + 1).map((other) => ({ ...rest, one, other, name: rest.game.name }))),
  )
  test.each(rows)('$name: $one and $other', ({ game, variant, settings, cards, one, other }) => {
    const of = (bets: Record<string, string>) =>
      settled(game, { cardInfo: cards }, { variant, bets, settings }).validStake
    const alone = of({ [one]: '100' }) + of({ [other]: '30' })
    const pairs: readonly (readonly string[])[] = book.hedges[game.name as keyof typeof book.hedges]
    const hedges = pairs.some((pair) => pair.includes(one) && pair.includes(other))
    expect(formatAmount(of({ [one]: '100', [other]: '30' }))).toBe(hedges ? '70' : formatAmount(alone))
    expect(formatAmount(alone)).toBe('130')
  })
})

const tenant = shared((world) => aTenant(world, { tables: ['BAC-01', 'DT-01', 'NN-01', 'HE-01'] }))
const players = () => aPlayer(tenant(), { balance: '10000' })

describe('1.5: revisions', () => {
  const games = [
    { tableId: 'BAC-01', first: '5H4S3C5D----', then: 'KS4H7D2C----', bets: { B: '10', T: '3' } },
    { tableId: 'DT-01', first: 'KS7H', then: '7C7D', bets: { D: '10' } },
    {
      tableId: 'NN-01',
      first: '5C|KS 7D 3C 8H 9S|QD TC JS 6H 4D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C',
      then: '6D|KH 6S 4C 5D 3H|KS TD JC 9H 9C|QS 7H 3D AC 7S|2C 2H 4S 8C KC',
      bets: { P1D: '10', P2D: '10', P3E: '10' },
    },
    {
      tableId: 'HE-01',
      first: '4S 8D KC KD 2S||KS 6C',
      then: '4S 8D KC KD JS||KS 6C',
      bets: { ANTE: '10', CALL: '20' },
      hole: 'JH JC',
    },
  ]
  test.each(games)(
    '$tableId: settled, corrected, corrected back, voided',
    async ({ tableId, first, then, bets, hole }) => {
      const { username } = await players()
      const slips = [{ username, bets, ...(hole === undefined ? {} : { hole }) }]
      const steps = [{ correct: { cardInfo: then } }, { correct: { cardInfo: first } }, { void: true as const }]
      const { roundId } = await aRound(tenant(), { tableId, cardInfo: first, slips }, ...steps)
      const records = (await allBets(tenant())).items.filter((record) => record.roundId === roundId)
      const units = (text = '0') => Math.round(Number(text) * 10_000)
      for (const [i, record] of records.entries()) {
        const before = units(records[i - 1]?.payout)
        const cost = units(record.stake) + units(record.hold)
        const rules = {
          settled: units(record.payout),
          recalculated: units(record.payout) - before,
          void: cost - before,
        }
        expect(units(record.delta)).toBe(rules[record.status])
        expect(units(record.winLoss)).toBe(units(record.payout) - cost)
      }
      expect(records.map(({ status }) => status)).toEqual(['settled', 'recalculated', 'recalculated', 'void'])
      const last = records.at(-1)
      const { winLoss, validStake, rolling, mult, absent } = book.voided
      expect(last).toMatchObject({ winLoss, validStake, rolling, stake: records[0]?.stake })
      expect(last?.hold).toBe(records[0]?.hold)
      expect(last?.bets.every((leg) => leg.mult === undefined || leg.mult === mult)).toBe(true)
      for (const field of absent) expect(last?.result).not.toHaveProperty(field)
    },
  )

  test.each(book.roundFields)('1.6: $game', async ({ game, code, cardInfo, result }) => {
    const order = games.find(({ tableId }) =>
      tableId.startsWith({ baccarat: 'BAC', dragontiger: 'DT', niuniu: 'NN', holdem: 'HE' }[game]),
    )
    if (!order) throw new Error(`no round of ${game}`)
    const { username } = await players()
    const slips = [{ username, bets: order.bets, ...(order.hole ? { hole: order.hole } : {}) }]
    const { roundId } = await aRound(tenant(), { tableId: order.tableId, cardInfo: order.first, slips })
    const round = await tenant().client.round({ params: { roundId } })
    expect(round.cardInfo).toMatch(cardInfo)
    if (code === null) expect(round.code).toBeNull()
    else expect(round.code).toMatch(code)
    expect(round.result === null).toBe(result === null)
  })
})
