import { expect, test } from 'vitest'
import { Problem } from '../../../src/kit/problem.ts'
import { currenciesOf } from '../../../src/operator/summary/currencies.ts'
import { type PlayerFigures, totalsByCurrency } from '../../../src/operator/summary/totals.ts'

const player = (username: string, currency: string | null, stake: string, winLoss: string): PlayerFigures => ({
  username,
  currency,
  slips: 2,
  stake,
  validStake: stake,
  rolling: '0',
  payout: '1.0001',
  winLoss,
  rake: '0',
})

test('each currency gets its own total, in units and not in floating point', () => {
  const players = [
    player('amy', 'USD', '0.1', '-5'),
    player('bob', 'EUR', '3', '2.5'),
    player('cat', 'USD', '0.2', '1.25'),
  ]
  expect(totalsByCurrency(players)).toEqual([
    {
      currency: 'EUR',
      players: 1,
      slips: 2,
      stake: '3',
      validStake: '3',
      rolling: '0',
      payout: '1.0001',
      winLoss: '2.5',
      rake: '0',
    },
    {
      currency: 'USD',
      players: 2,
      slips: 4,
      stake: '0.3',
      validStake: '0.3',
      rolling: '0',
      payout: '2.0002',
      winLoss: '-3.75',
      rake: '0',
    },
  ])
})

test('players of unknown currency are one total, before the others', () => {
  const players = [player('amy', 'USD', '1', '0'), player('bob', null, '2', '0'), player('cat', null, '3', '0')]
  expect(totalsByCurrency(players)).toMatchObject([
    { currency: null, players: 2, stake: '5' },
    { currency: 'USD', players: 1, stake: '1' },
  ])
  expect(totalsByCurrency([])).toEqual([])
})

/** A platform that knows amy and bob. `lookedUp` has the usernames of the lookups in order. */
function platform(lookups: string[] = []) {
  return {
    lookedUp: lookups,
    player: async ({ query: { username } }: { query: { username: string } }) => {
      lookups.push(username)
      if (username === 'broken') throw new Problem('INTERNAL', 'Out of order')
      if (username === 'gone') throw new Problem('PLAYER_NOT_FOUND', 'No such player')
      return { currency: username === 'amy' ? 'USD' : 'EUR' }
    },
  } as unknown as Parameters<typeof currenciesOf>[0] & { readonly lookedUp: string[] }
}

test('currencies are looked up one after another, without those of unknown players', async () => {
  const counts: number[] = []
  const { signal } = new AbortController()
  const currencies = await currenciesOf(platform(), ['amy', 'gone', 'bob'], {
    signal,
    onProgress: (count) => counts.push(count),
  })
  expect([...currencies]).toEqual([
    ['amy', 'USD'],
    ['bob', 'EUR'],
  ])
  expect(counts).toEqual([1, 1, 2])
})

test('another error ends the lookups', async () => {
  const { signal } = new AbortController()
  const here = platform()
  await expect(currenciesOf(here, ['amy', 'broken', 'bob'], { signal })).rejects.toMatchObject({ code: 'INTERNAL' })
  expect(here.lookedUp).toEqual(['amy', 'broken'])
})

test('a signal ends the lookups before the next one', async () => {
  const stop = new AbortController()
  const here = platform()
  const looking = currenciesOf(here, ['amy', 'bob'], { signal: stop.signal, onProgress: () => stop.abort() })
  await expect(looking).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(here.lookedUp).toEqual(['amy'])
})
