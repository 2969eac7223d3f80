import { beforeAll, describe, expect, test } from 'vitest'
import { theTenant } from '../../../src/services/casino/account/tenants.ts'
import { createTenant } from '../../../src/services/casino/admin/index.ts'
import { play } from '../../../src/services/casino/simulator/index.ts'
import { enableTable } from '../../../src/services/casino/tables/tables.ts'
import { openWorld, type World } from '../../../src/world/world.ts'

/**
 * Compares the deals of many rounds of a seeded world with the published figures. The tests of the rules prove the
 * exact probabilities; this one checks shoes, dealing and records.
 */
const rounds = 4_000

interface DealtRound {
  readonly game: string
  readonly code: string
}

let dealt: readonly DealtRound[] = []

beforeAll(async () => {
  const world = await openWorld({ db: ':memory:', seed: 'probabilities', rateLimits: false })
  try {
    dealt = await dealtIn(world)
  } finally {
    await world.close()
  }
})

async function dealtIn({ casino, store }: World): Promise<readonly DealtRound[]> {
  const input = { code: 'T', plan: 'paid', timezone: 'UTC', currency: 'USD', currencies: [] } as const
  await createTenant(casino, input)
  const tenant = { ...(await store.read((reader) => theTenant(reader, 'T'))), keyId: '' }
  for (const tableId of ['BAC-01', 'DT-01']) await enableTable(casino, tenant, tableId)
  const much = { tenant: 'T', tables: [], rounds: 2 * rounds, players: 0, days: 0, corrected: 0, voided: 0 }
  for await (const _ of play(casino, much));
  const rows = await store.read(({ q }) => q.selectFrom('casino_rounds').select(['game', 'code']).execute())
  return rows.map(({ game, code }) => ({ game, code: code ?? '' }))
}

/** Frequency of an event, and its distance from a published figure in standard deviations. */
function sigmas(game: string, happened: (code: string) => boolean, published: number): number {
  const all = dealt.filter((round) => round.game === game)
  const share = all.filter((round) => happened(round.code)).length / all.length
  return Math.abs(share - published) / Math.sqrt((published * (1 - published)) / all.length)
}

const value = (code: string) => Number.parseInt(code, 16)

describe('baccarat as it is dealt', () => {
  test.each([
    ['the banker wins', (code: string) => (value(code) & 1) === 1, 0.458597],
    ['the player wins', (code: string) => (value(code) & 3) === 2, 0.446247],
    ['it is a tie', (code: string) => (value(code) & 3) === 0, 0.095156],
    ['the banker wins with six', (code: string) => (value(code) & 3) === 3, 0.0539],
    ['the banker has a pair', (code: string) => (value(code) & 4) !== 0, 0.074699],
    ['the player has a pair', (code: string) => (value(code) & 8) !== 0, 0.074699],
  ])('%s as often as published', (_, happened, published) => {
    expect(sigmas('baccarat', happened, published)).toBeLessThan(4)
  })
})

describe('dragon tiger as it is dealt', () => {
  test.each([
    ['it is a tie', (code: string) => code === '4' || code === 'C', 0.0747],
    ['it is a suited tie', (code: string) => code === 'C', 0.0169],
    ['the dragon wins', (code: string) => code === '1', (1 - 0.0747) / 2],
    ['the tiger wins', (code: string) => code === '2', (1 - 0.0747) / 2],
  ])('%s as often as published', (_, happened, published) => {
    expect(sigmas('dragontiger', happened, published)).toBeLessThan(4)
  })
})

test('the requested number of rounds was dealt', () => {
  for (const game of ['baccarat', 'dragontiger'])
    expect(dealt.filter((round) => round.game === game)).toHaveLength(rounds)
})
