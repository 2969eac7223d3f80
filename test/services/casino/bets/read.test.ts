import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changeRound, play } from '../../../../src/services/casino/simulator/index.ts'
import { parseReply, prefix, sendRaw } from '../../../support/http/raw.ts'
import { auditBalances } from '../../../support/program/audit.ts'
import {
  allBets,
  aPlayer,
  aRound,
  aSlip,
  aTenant,
  clientOf,
  refuses,
  type TestTenant,
} from '../../../support/worlds/people.ts'
import { aClock, inFile, inMemory, onPostgres, testWorld } from '../../../support/worlds/world.ts'

async function aTable(options: Parameters<typeof testWorld>[0] & { plan?: 'free' | 'paid' } = {}) {
  const world = await testWorld(options)
  const tenant = await aTenant(world, { plan: options.plan ?? 'paid', tables: ['BAC-01', 'DT-01'] })
  const player = await aPlayer(tenant, { username: 'amy', balance: '100000' })
  const bet = async (times = 1) => {
    for (let i = 0; i < times; i++) await aSlip(player, { B: '1' })
  }
  return { world, tenant, player, bet, bets: tenant.client.bets }
}

/** Deals rounds with several players, now, some of them corrected or voided. */
async function playedBy(tenant: TestTenant, rounds: number): Promise<number> {
  let slips = 0
  const input = { tenant: tenant.code, tables: [], rounds, players: 4, days: 0, corrected: 1000, voided: 1000 }
  for await (const played of play(tenant.world.casino, input)) slips = played.slips + played.corrected + played.voided
  return slips
}

const seqs = (items: readonly { recSeq: number }[]) => items.map((item) => item.recSeq)
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

describe('GET /bets', () => {
  test('for a tenant without bets returns an empty page with a cursor of this month', async () => {
    const { bets } = await aTable()
    expect(await bets({ query: {} })).toEqual({ items: [], nextCursor: '202603.0', hasMore: false })
  })

  test('returns settled bets in write order, numbered from 1 without gaps', async () => {
    const { bet, bets } = await aTable()
    await bet(5)
    const page = await bets({ query: {} })
    expect(seqs(page.items)).toEqual(upTo(5))
    expect(page).toMatchObject({ nextCursor: '202603.5', hasMore: false })
  })

  test('continues from a cursor with any page size, and reaches the same end', async () => {
    const { tenant } = await aTable()
    const count = await playedBy(tenant, 60)
    const whole = await allBets(tenant, { limit: 1000 })
    expect(seqs(whole.items)).toEqual(upTo(count))
    for (const limit of [1, 7, 100, 499]) {
      const { items, pages } = await allBets(tenant, { limit })
      expect(items).toEqual(whole.items)
      expect(pages).toBe(Math.max(1, Math.ceil(count / limit)))
    }
  })

  test('returns 500 records per page by default, and 1,000 at most', async () => {
    const { tenant, bets } = await aTable()
    const count = await playedBy(tenant, 300)
    expect(count).toBeGreaterThan(1000)
    expect((await bets({ query: {} })).items).toHaveLength(500)
    const page = await bets({ query: { limit: 1000 } })
    expect(page.items).toHaveLength(1000)
    expect(page).toMatchObject({ nextCursor: '202603.1000', hasMore: true })
  })

  test('returns hasMore only when there is more: a page that ends with the last record is the last', async () => {
    const { bet, bets } = await aTable()
    await bet(4)
    expect(await bets({ query: { limit: 4 } })).toMatchObject({ hasMore: false, nextCursor: '202603.4' })
    expect(await bets({ query: { limit: 3 } })).toMatchObject({ hasMore: true, nextCursor: '202603.3' })
  })

  test('after catching up returns new records, and the same cursor if there are none', async () => {
    const { bet, bets } = await aTable()
    await bet(2)
    const first = await bets({ query: {} })
    expect(await bets({ query: { cursor: first.nextCursor } })).toEqual({ ...first, items: [] })
    await bet(1)
    const second = await bets({ query: { cursor: first.nextCursor } })
    expect(seqs(second.items)).toEqual([3])
    expect(await bets({ query: { cursor: first.nextCursor } })).toEqual(second)
  })

  test('returns corrections and voids when they are written, after every existing cursor', async () => {
    const { world, player, bets } = await aTable()
    const { roundId } = await aSlip(player, { B: '10' })
    const { nextCursor } = await bets({ query: {} })
    await changeRound(world.casino, roundId, { correct: { cardInfo: 'KS4H7D2C----' } })
    await changeRound(world.casino, roundId, { void: true })
    const { items } = await bets({ query: { cursor: nextCursor } })
    expect(items.map(({ rev, status, delta }) => [rev, status, delta])).toEqual([
      [2, 'recalculated', '-19.5'],
      [3, 'void', '10'],
    ])
  })

  test('is unique by slip and revision; the highest revision is final', async () => {
    const { world, tenant } = await aTable()
    await playedBy(tenant, 50)
    const { items } = await allBets(tenant)
    expect(new Set(items.map((item) => `${item.slipId}/${item.rev}`)).size).toBe(items.length)
    expect(await auditBalances(world.store)).toEqual([])
  })

  test("returns a tenant's own bets only, and the sandbox's separately", async () => {
    const { world, tenant, bet } = await aTable()
    await bet(2)
    await tenant.sandbox.client.enableTable({ body: { tableId: 'BAC-01' } })
    await aSlip(await aPlayer(tenant.sandbox, { username: 'amy' }), { P: '1' })
    const other = await aTenant(world)
    expect((await allBets(tenant)).items).toHaveLength(2)
    const { items } = await allBets(tenant.sandbox)
    expect(items.map(({ recSeq, bets }) => [recSeq, bets[0]?.zone])).toEqual([[1, 'P']])
    expect((await allBets(other)).items).toEqual([])
  })

  test('separates two tenants at one table', async () => {
    const { world, tenant, bet } = await aTable()
    const other = await aTenant(world, { tables: ['BAC-01'] })
    const bob = await aPlayer(other, { username: 'bob' })
    await bet(1)
    await aSlip(bob, { B: '1' })
    await bet(1)
    expect((await allBets(tenant)).items.map(({ recSeq, round }) => [recSeq, round])).toEqual([
      [1, 1],
      [2, 3],
    ])
    expect((await allBets(other)).items.map(({ recSeq, round }) => [recSeq, round])).toEqual([[1, 2]])
  })

  test.each([
    '',
    '202603',
    '202603.',
    '.5',
    '2026-03.5',
    '202603.-1',
    '202603.1.1',
    '202613.5',
    '202600.5',
    'abc',
    '202603.5x',
    ' 202603.5',
    '202603.1e3',
    '2026031.5',
  ])('with the cursor %j is INVALID_CURSOR', async (cursor) => {
    const { bets } = await aTable()
    await refuses('INVALID_CURSOR', bets({ query: { cursor } }))
  })

  // 1-tenant-api, Shared types: a cursor is `^[0-9]{6}[.][0-9]+$`.
  test.each(['9'.repeat(15), '9007199254740993', '9'.repeat(16), '9'.repeat(30), `${'0'.repeat(20)}9`])(
    'with a sequence of many digits (%s) returns no records and the same position again',
    async (digits) => {
      const { bets } = await aTable()
      const page = await bets({ query: { cursor: `202603.${digits}` } })
      expect(page).toEqual({ items: [], nextCursor: `202603.${BigInt(digits)}`, hasMore: false })
    },
  )

  // 1-tenant-api, Bets: a cursor is rejected if it is malformed, not for its position.
  test.each(['202604.0', '202604.7', '209912.1', '999912.0'])(
    'with the cursor %s of a future month returns no records and the same position again',
    async (cursor) => {
      const { bets } = await aTable()
      expect(await bets({ query: { cursor } })).toEqual({ items: [], nextCursor: cursor, hasMore: false })
    },
  )

  test('with two cursors is INVALID_CURSOR', async () => {
    const { world, tenant } = await aTable()
    const url = `${prefix}/bets?cursor=202603.0&cursor=202603.1`
    expect(parseReply(await sendRaw(world, tenant.key, { url }))).toMatchObject({ code: 'INVALID_CURSOR' })
  })

  test.each(['0', '1001', '-1', '1.5', '1e2', '', 'all', '0x10', ' 5'])(
    'with the limit %j is INVALID_PARAMETER',
    async (limit) => {
      const { world, tenant } = await aTable()
      const url = `${prefix}/bets?limit=${encodeURIComponent(limit)}`
      const refusal = parseReply(await sendRaw(world, tenant.key, { url }))
      expect(refusal).toMatchObject({ status: 400, code: 'INVALID_PARAMETER' })
      expect(refusal.message).toContain('limit')
    },
  )
})

describe('from', () => {
  test('is rounded down to the minute: records settled within it are included', async () => {
    const { world, bet, bets } = await aTable({ time: aClock('2026-03-10T12:00:00Z') })
    await bet()
    world.clock.add('59999ms')
    await bet()
    world.clock.add('1ms')
    await bet()
    const from = async (text: string) => seqs((await bets({ query: { from: text } })).items)
    expect(await from('2026-03-10T12:00:00.000Z')).toEqual([1, 2, 3])
    expect(await from('2026-03-10T12:00:59.999Z')).toEqual([1, 2, 3])
    expect(await from('2026-03-10T12:01:00.000Z')).toEqual([3])
    expect(await from('2026-03-10T12:01:59.999Z')).toEqual([3])
    expect(await from('2026-03-10T12:02:00.000Z')).toEqual([])
  })

  test('can be before the first record, or in the future', async () => {
    const { tenant, bet, bets } = await aTable()
    await bet(2)
    expect(seqs((await allBets(tenant, { from: '1970-01-01T00:00:00Z' })).items)).toEqual([1, 2])
    const future = await bets({ query: { from: '2030-01-01T00:00:00Z' } })
    expect(future).toEqual({ items: [], nextCursor: '202603.2', hasMore: false })
    expect((await bets({ query: { from: '2026-03-31T00:00:00Z' } })).nextCursor).toBe('202603.2')
  })

  test('after the last record returns a cursor from which the next record is read', async () => {
    const { world, bet, bets } = await aTable()
    await bet(3)
    world.clock.add('5m')
    const { nextCursor } = await bets({ query: { from: '2026-03-10T12:05:00Z' } })
    await bet(1)
    expect(seqs((await bets({ query: { cursor: nextCursor } })).items)).toEqual([4])
  })

  test('is ignored with a cursor, with any value', async () => {
    const { bet, bets } = await aTable()
    await bet(2)
    const { items } = await bets({ query: { cursor: '202603.1', from: 'not a moment at all' } })
    expect(seqs(items)).toEqual([2])
  })

  test.each(['2026-03-10T12:00Z', '2026-03-10T12:00:00+08:00', '2026-03-10T12:00:00.123456Z'])(
    'can be written as %s',
    async (from) => {
      const { bets } = await aTable()
      await bets({ query: { from } })
    },
  )

  test.each([
    '',
    'yesterday',
    '2026-03-10',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-03-10T25:00:00Z',
    '2026-03-10T12:00:00',
    '1773144000',
    '2026-03-10 12:00:00Z',
    '-002026-03-10T12:00:00Z',
  ])('as %j is INVALID_PARAMETER', async (from) => {
    const { bets } = await aTable()
    const refusal = await refuses('INVALID_PARAMETER', bets({ query: { from } }))
    expect(refusal.message).toContain('from')
  })

  test('selects the records settled at its minute or later, and no others', async () => {
    const { world, tenant, bet, bets } = await aTable({ time: aClock('2026-03-10T12:00:00Z') })
    for (let i = 0; i < 25; i++) {
      await bet(1 + (i % 3))
      world.clock.add(`${(i * 7919) % 100_000}ms`)
    }
    const { items } = await allBets(tenant)
    const start = Date.parse('2026-03-10T11:58:00Z')
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 3_000_000 }), async (offset) => {
        const at = start + offset
        const due = items.filter((item) => Date.parse(item.settledAt) >= Math.floor(at / 60_000) * 60_000)
        expect(await allBetsFrom(bets, new Date(at).toISOString())).toEqual(due)
      }),
      { numRuns: 60 },
    )
  })
})

async function allBetsFrom(bets: TestTenant['client']['bets'], from: string) {
  return (await bets({ query: { from, limit: 1000 } })).items
}

describe.each([inMemory, inFile, onPostgres])('a reader on $name', (on) => {
  test('that polls while rounds are written gets every record once and in order', async () => {
    const { world, tenant, bets } = await aTable({ on })
    for (const username of ['bob', 'cho', 'dee']) await aPlayer(tenant, { username })
    const slips = ['amy', 'bob', 'cho', 'dee'].map((username) => ({ username, bets: { B: '1' } }))
    let isWriting = true
    const writing = Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        aRound(
          tenant,
          {
            tableId: i % 2 ? 'BAC-01' : 'DT-01',
            ...(i % 2 ? {} : { cardInfo: 'KS7H' }),
            slips: i % 2 ? slips : slips.map((slip) => ({ ...slip, bets: { D: '1' } })),
          },
          ...(i % 5 ? [] : [{ void: true } as const]),
        ),
      ),
    ).finally(() => {
      isWriting = false
    })
    const read: number[] = []
    let cursor: string | undefined
    for (let isLast = false; ; isLast = !isWriting) {
      const page = await bets({ query: { limit: 7, ...(cursor ? { cursor } : {}) } })
      read.push(...seqs(page.items))
      cursor = page.nextCursor
      if (isLast && !page.hasMore) break
    }
    await writing
    expect(read).toEqual(upTo(40 * 4 + 8 * 4))
    expect(await auditBalances(world.store)).toEqual([])
  })
})

test('a cursor is valid across a restart, and the sequence continues', async () => {
  const { world, tenant, bet, bets } = await aTable({ on: inFile })
  await bet(3)
  const { nextCursor } = await bets({ query: {} })
  const again = await world.reopened()
  const client = clientOf(again, tenant.key)
  expect(await client.bets({ query: { cursor: nextCursor } })).toEqual({ items: [], nextCursor, hasMore: false })
  await aSlip({ tenant: { ...tenant, world: again, client }, username: 'amy', currency: 'USD' })
  const { items } = await client.bets({ query: { cursor: nextCursor } })
  expect(items.map(({ recSeq, shoe, round }) => [recSeq, shoe, round])).toEqual([[4, '1', 4]])
})
