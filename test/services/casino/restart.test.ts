import { describe, expect, test } from 'vitest'
import { rotateKey, topUp } from '../../../src/services/casino/admin/index.ts'
import { changeRound, play } from '../../../src/services/casino/simulator/index.ts'
import { credentialsOf, demoCode } from '../../../src/world/demo-data.ts'
import { auditBalances } from '../../support/program/audit.ts'
import { startDealing } from '../../support/worlds/dealing.ts'
import {
  allBets,
  anOpenRound,
  aPlayer,
  aRound,
  aTenant,
  clientOf,
  refuses,
  type TestTenant,
} from '../../support/worlds/people.ts'
import { aClock, inFile, machineClock, onPostgres, type TestWorld, testWorld } from '../../support/worlds/world.ts'

/** A tenant in the state after a restart. */
function met<T extends TestTenant>(world: TestWorld, tenant: T): TestTenant {
  return { ...tenant, world, client: clientOf(world, tenant.key) }
}

describe.each([inFile, onPostgres])('after a restart on $name', (on) => {
  test('everything is there: money, keys that are retiring, tables, credit, rounds and bets', async () => {
    const world = await testWorld({ on })
    const tenant = await aTenant(world, { tables: ['BAC-01'] })
    await topUp(world.casino, tenant.code, '100', 'r')
    const player = await aPlayer(tenant, { username: 'amy', balance: '1000' })
    const { roundId } = await aRound(tenant, { slips: [{ username: 'amy', bets: { B: '100' } }] })
    const old = tenant.key
    const key = await rotateKey(world.casino, old.apiKey)
    const before = [
      await tenant.client.account({}),
      await tenant.client.tables({}),
      await tenant.client.round({ params: { roundId } }),
    ]
    const again = await world.reopened()
    const { client } = met(again, { ...tenant, key })
    expect([await client.account({}), await client.tables({}), await client.round({ params: { roundId } })]).toEqual(
      before,
    )
    expect(await client.balance({ query: { username: player.username } })).toMatchObject({ balance: '1095' })
    expect((await client.bets({ query: {} })).items).toHaveLength(1)
    await clientOf(again, old).tables({})
    again.clock.add('24h')
    await refuses('UNAUTHORIZED', clientOf(again, old).tables({}))
  })

  test('a completed transfer is a duplicate', async () => {
    const world = await testWorld({ on })
    const tenant = await aTenant(world)
    const body = { username: 'amy', txnId: 't-1', amount: '5', currency: 'USD' }
    await tenant.client.deposit({ body })
    const { client } = met(await world.reopened(), tenant)
    expect(await client.deposit({ body })).toMatchObject({ balance: '5', duplicate: true })
  })

  test('a shoe continues with the card after the last one dealt', async () => {
    const world = await testWorld({ on })
    const tenant = await aTenant(world, { tables: ['BAC-01', 'DT-01'] })
    const input = { tenant: tenant.code, tables: ['BAC-01'], rounds: 10, players: 1, days: 0, corrected: 0, voided: 0 }
    for await (const _ of play(world.casino, input));
    const shoe = async (of: TestWorld) => of.store.read(({ q }) => q.selectFrom('casino_shoes').selectAll().execute())
    const [left] = await shoe(world)
    const again = await world.reopened()
    for await (const _ of play(again.casino, { ...input, rounds: 1 }));
    const [after] = await shoe(again)
    expect(after).toMatchObject({ shoe: '1', round: 11 })
    const { items } = await allBets(met(again, tenant))
    const last = items.at(-1)?.result.cardInfo.replaceAll('--', '') ?? ''
    const inDealingOrder = last.length > 0 && left?.cards.startsWith(last)
    expect(inDealingOrder).toBe(true)
    expect(left?.cards.slice(last.length)).toBe(after?.cards)
  })

  test('bets that were placed can still be settled', async () => {
    const world = await testWorld({ on })
    const tenant = await aTenant(world, { tables: ['BAC-01'] })
    await aPlayer(tenant, { username: 'amy', balance: '100' })
    const roundId = await anOpenRound(tenant, 'BAC-01', [{ username: 'amy', bets: { B: '100' } }])
    const again = await world.reopened()
    await changeRound(again.casino, roundId, { void: true })
    expect(await met(again, tenant).client.balance({ query: { username: 'amy' } })).toMatchObject({ balance: '100' })
    expect(await auditBalances(again.store)).toEqual([])
  })

  test('the clock keeps its offset', async () => {
    const time = aClock()
    const world = await testWorld({ on, time })
    await world.clock.advance(Date.parse('2027-01-01T00:00:00Z'))
    const again = await world.reopened()
    time.add('5m')
    expect(new Date(await again.clock.now()).toISOString()).toBe('2027-01-01T00:05:00.000Z')
  })
})

/** Lines after which a process is killed. SQLite first writes its log back after about 40, then every few lines. */
const killPoints = [
  { on: inFile, points: [11, 40, 97] },
  { on: onPostgres, points: [11, 24, 52] },
]

describe.each(killPoints)('killed in the middle of dealing and paying on $on.name', ({ on, points }) => {
  test('a world keeps all that was acknowledged, has no half round, and every balance adds up', async () => {
    const database = await on.database()
    const acknowledged = { slips: 0, txnIds: [] as string[] }
    for (const afterLines of points) {
      const child = startDealing(database.url)
      await child.waitForLines(afterLines)
      const { slips, txnIds } = await child.kill()
      acknowledged.slips += slips
      acknowledged.txnIds.push(...txnIds)
      const world = await testWorld({ database, seed: null, time: machineClock })
      const state = await world.store.read(async ({ q }) => ({
        rounds: await q.selectFrom('casino_rounds').select('status').execute(),
        slips: await q.selectFrom('casino_slips').select(['status', 'tenant']).execute(),
        transfers: await q.selectFrom('casino_transfers').select(['txn_id', 'tenant']).execute(),
        records: await q.selectFrom('casino_bet_records').select('rec_seq').where('tenant', '=', demoCode).execute(),
      }))
      expect(state.rounds.every((round) => round.status !== 'open')).toBe(true)
      expect(state.slips.every((slip) => slip.status !== 'placed')).toBe(true)
      expect(state.slips.length % 4).toBe(0)
      expect(state.records.length).toBeGreaterThanOrEqual(acknowledged.slips)
      const kept = new Set(state.transfers.map((transfer) => transfer.txn_id))
      expect(acknowledged.txnIds.filter((txnId) => !kept.has(txnId))).toEqual([])
      expect(await auditBalances(world.store)).toEqual([])
      await world.close()
    }
  })
})

describe.each([inFile, onPostgres])('next to another process that deals and pays on $name', (on) => {
  test('a world reads every bet once and in order, and moves money of the same players', async () => {
    const database = await on.database()
    // Both processes deal in the middle of a month: the numbers of the records start again with each.
    const before = await testWorld({ database, seed: null, time: machineClock })
    await before.clock.set(Date.UTC(2026, 2, 10, 12))
    await before.close()
    const child = startDealing(database.url)
    await child.waitForLines(5)
    const world = await testWorld({ database, seed: null, time: machineClock })
    const keys = await credentialsOf(world.casino, demoCode)
    if (!keys) throw new Error('the demo has its keys')
    const client = clientOf(world, keys.live)
    const read: number[] = []
    let cursor: string | undefined
    let paid = 0
    while (read.length < 400) {
      const page = await client.bets({ query: { limit: 37, ...(cursor ? { cursor } : {}) } })
      read.push(...page.items.map((item) => item.recSeq))
      cursor = page.nextCursor
      const body = { username: 'bob', txnId: `here-${paid}`, amount: '1', currency: 'USD' }
      // After a lock timeout the response is a 5xx, and the same request is sent again.
      paid += await client.deposit({ body }).then(
        () => 1,
        () => 0,
      )
    }
    await child.kill()
    expect(read).toEqual(read.map((_, i) => i + 1))
    expect(paid).toBeGreaterThan(0)
    expect(await auditBalances(world.store)).toEqual([])
  })
})
