import { expect, test } from 'vitest'
import type { KnownPlayer } from '../../../src/domain/wallet/batch.ts'
import { Problem } from '../../../src/kit/problem.ts'
import type { BatchTransfer } from '../../../src/operator/transfers/batch-file.ts'
import { playersNamed } from '../../../src/operator/transfers/batch-players.ts'
import { batchWarnings, named } from '../../../src/operator/transfers/batch-warnings.ts'

/** Players of a batch: what is unusual about them, and how they are looked up. */

const rowsOf = (...names: readonly string[]) => names.map((username, i) => ({ username, line: i + 2 }) as BatchTransfer)
const player = (username: string, status: KnownPlayer['status'] = 'active'): KnownPlayer => ({
  ...{ username, status, currency: 'USD', balance: '0' },
})
const known = (...players: readonly KnownPlayer[]) => new Map(players.map((each) => [each.username, each]))

test('a batch of different players who can play has no warning', () => {
  expect(batchWarnings(rowsOf('amy', 'bob'), known(player('amy'), player('bob')))).toEqual([])
})

test('players who cannot play, and those in several rows in any spelling, are named once each', () => {
  const players = known(player('amy', 'locked'), player('bob'))
  expect(batchWarnings(rowsOf('amy', 'bob', 'AMY', 'cho'), players)).toEqual([
    'The transfers work, but these players cannot play: amy (locked)',
    'Players in more than one row: amy (2, 4)',
  ])
})

test('of many rows four are named, and of many players ten', () => {
  const [four, five] = ['amy', 'bob'].map((name, i) => Array(4 + i).fill(name))
  expect(batchWarnings(rowsOf(...(four ?? []), ...(five ?? [])), known())).toEqual([
    'Players in more than one row: amy (2, 3, 4, 5), bob (6, 7, 8, 9 and 1 more)',
  ])
  const names = Array.from({ length: 12 }, (_, i) => `p${i}`)
  expect(named(names.slice(0, 10))).toBe('p0, p1, p2, p3, p4, p5, p6, p7, p8, p9')
  expect(named(names)).toBe('p0, p1, p2, p3, p4, p5, p6, p7, p8, p9 and 2 more')
})

test('players are looked up once each, counted, and omitted if they do not exist', async () => {
  const rest = { nickname: null, online: false, createdAt: '2026-03-01T00:00:00.000Z', lastLoginAt: null }
  const counts: number[] = []
  const asked: string[] = []
  const lookUp = (names: readonly string[], code: string, status: number) =>
    playersNamed(
      async ({ path }) => {
        const name = new URL(path, 'http://here').searchParams.get('username') ?? ''
        asked.push(name)
        const body =
          name === 'zoe'
            ? { ok: false, error: { code, message: 'no' } }
            : { ok: true, data: { ...player(name), ...rest } }
        return { status: name === 'zoe' ? status : 200, headers: {}, body: JSON.stringify(body) }
      },
      names,
      {
        retryOptions: { sleep: async () => {}, now: () => 0, random: () => 0, attempts: 1 },
        ...{ concurrency: 1, stop: new AbortController().signal, onPlayer: (done) => counts.push(done) },
      },
    )
  const found = await lookUp(['amy', 'zoe', 'AMY', 'bob'], 'PLAYER_NOT_FOUND', 404)
  expect([...found.keys()]).toEqual(['amy', 'bob'])
  expect([asked, counts]).toEqual([
    ['AMY', 'zoe', 'bob'],
    [1, 2, 3],
  ])
  await expect(lookUp(['zoe'], 'FORBIDDEN', 403)).rejects.toBeInstanceOf(Problem)
})
