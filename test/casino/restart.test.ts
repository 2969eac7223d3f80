import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { rotateKey, topUp } from '../../src/casino/console.ts'
import { changeRound, play } from '../../src/casino/simulator.ts'
import { demoCode } from '../../src/world/demo.ts'
import { auditBalances } from '../support/audit.ts'
import {
  allBets,
  anOpenRound,
  aPlayer,
  aRound,
  aTenant,
  clientOf,
  refuses,
  type TestTenant,
} from '../support/people.ts'
import { aClock, inFile, onPostgres, type TestWorld, testWorld } from '../support/world.ts'

/** A tenant as it is met again after a restart. */
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

  test('a transfer that was done is a duplicate', async () => {
    const world = await testWorld({ on })
    const tenant = await aTenant(world)
    const body = { username: 'amy', txnId: 't-1', amount: '5', currency: 'USD' }
    await tenant.client.deposit({ body })
    const { client } = met(await world.reopened(), tenant)
    expect(await client.deposit({ body })).toMatchObject({ balance: '5', duplicate: true })
  })

  test('a shoe goes on with the card after the last one dealt', async () => {
    const world = await testWorld({ on })
    const tenant = await aTenant(world, { tables: ['BAC-01', 'DT-01'] })
    const order = { tenant: tenant.code, tables: ['BAC-01'], rounds: 10, players: 1, days: 0, corrected: 0, voided: 0 }
    for await (const _ of play(world.casino, order));
    const shoe = async (of: TestWorld) => of.store.read(({ q }) => q.selectFrom('casino_shoes').selectAll().execute())
    const [left] = await shoe(world)
    const again = await world.reopened()
    for await (const _ of play(again.casino, { ...order, rounds: 1 }));
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

  test('the clock is where it was put, and goes on', async () => {
    const time = aClock()
    const world = await testWorld({ on, time })
    await world.clock.advance(Date.parse('2027-01-01T00:00:00Z'))
    const again = await world.reopened()
    time.add('5m')
    expect(new Date(await again.clock.now()).toISOString()).toBe('2027-01-01T00:05:00.000Z')
  })
})

/** Starts a process that deals and pays on a database; gives what it acknowledged once it has been killed in the middle of it. */
async function killedWhileDealing(db: string, afterLines: number): Promise<{ slips: number; txnIds: string[] }> {
  const script = fileURLToPath(new URL('../support/dealing-child.ts', import.meta.url))
  const child = spawn(process.execPath, [script, db], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  let complaint = ''
  child.stderr.on('data', (text) => {
    complaint += text
  })
  const gone = once(child, 'close')
  const enough = new Promise<void>((resolve) => {
    child.stdout.on('data', (text) => {
      said += text
      if (said.split('\n').length > afterLines) resolve()
    })
  })
  await Promise.race([enough, gone])
  if (child.exitCode !== null) throw new Error(`it ended by itself: ${complaint}`)
  child.kill('SIGKILL')
  await gone
  const lines = said.split('\n').slice(0, -1)
  const acknowledged = lines.map((line): { slips?: number; txnId?: string } => JSON.parse(line))
  return {
    slips: Math.max(0, ...acknowledged.map((line) => line.slips ?? 0)),
    txnIds: acknowledged.flatMap((line) => line.txnId ?? []),
  }
}

describe.each([inFile, onPostgres])('killed in the middle of dealing and paying on $name', (on) => {
  test('a world keeps all that was acknowledged, has no half round, and every balance adds up', async () => {
    const place = await on.place()
    for (const afterLines of [40, 97, 211]) {
      const { slips, txnIds } = await killedWhileDealing(place.url ?? '', afterLines)
      const world = await testWorld({ place, seed: null, time: { now: Date.now, add: () => {} } })
      const found = await world.store.read(async ({ q }) => ({
        rounds: await q.selectFrom('casino_rounds').select('status').execute(),
        slips: await q.selectFrom('casino_slips').select(['status', 'tenant']).execute(),
        transfers: await q.selectFrom('casino_transfers').select(['txn_id', 'tenant']).execute(),
        records: await q.selectFrom('casino_bet_records').select('rec_seq').where('tenant', '=', demoCode).execute(),
      }))
      expect(found.rounds.every((round) => round.status !== 'open')).toBe(true)
      expect(found.slips.every((slip) => slip.status !== 'placed')).toBe(true)
      expect(found.slips.length % 4).toBe(0)
      expect(found.records.length).toBeGreaterThanOrEqual(slips)
      const kept = new Set(found.transfers.map((transfer) => transfer.txn_id))
      expect(txnIds.filter((txnId) => !kept.has(txnId))).toEqual([])
      expect(await auditBalances(world.store)).toEqual([])
      await world.close()
    }
  }, 120_000)
})
