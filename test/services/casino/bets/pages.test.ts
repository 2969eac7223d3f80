import { expect, onTestFinished, test } from 'vitest'
import { world } from '../../../../src/db/migrations/world/index.ts'
import { openStore } from '../../../../src/db/store.ts'
import { readBets } from '../../../../src/services/casino/bets/read.ts'
import { insertRecords, openMonthOf, saveMinute, saveOpenMonth } from '../../../../src/services/casino/queries/bets.ts'
import type { Casino, Tenant } from '../../../../src/services/casino/service.ts'

/** Pages of records that were written directly: the cursor of each, and the first record from a time on. */

/** A tenant of the paid plan: bets can be read for 400 days. */
const tenant = { code: 'A', environment: 'live', plan: 'paid', state: 'PAID' } as Tenant

async function aStore() {
  const time = { now: Date.parse('2026-03-15T12:00:00Z') }
  const store = await openStore({ url: ':memory:', migrations: world, now: () => time.now })
  onTestFinished(() => store.close())
  await store.write(async (tx) => {
    for (const [month, rec_seq, at] of [
      ['202502', 1, '2025-02-10T10:00:00Z'],
      ['202602', 1, '2026-02-10T10:00:00Z'],
      ['202602', 2, '2026-02-10T10:00:00Z'],
      ['202603', 1, '2026-03-10T10:00:10Z'],
      ['202603', 2, '2026-03-10T10:00:40Z'],
      ['202603', 3, '2026-03-10T10:05:00Z'],
    ] as const) {
      const settled_at = Date.parse(at)
      await saveMinute(tx, 'A', month, settled_at, rec_seq)
      const key = { tenant: 'A', month, rec_seq, slip_id: `${month}-${rec_seq}`, rev: 1, round_id: 'R', settled_at }
      await insertRecords(tx, [{ ...key, record: `${rec_seq}` }])
    }
    await saveOpenMonth(tx, 'A', '202603')
  })
  const read = async (query: Parameters<typeof readBets>[2]) => {
    const page = JSON.parse((await readBets({ store } as Casino, tenant, query)).text)
    return `${page.items.join()} ${page.nextCursor}${page.hasMore ? ' more' : ''}`
  }
  const refused = (query: Parameters<typeof readBets>[2]) =>
    read(query).then(
      () => 'read',
      (error: { code?: string }) => error.code,
    )
  return { time, read, refused, openMonth: () => store.read((reader) => openMonthOf(reader, 'A')) }
}

test('a page ends at its limit, or with the last record of its month', async () => {
  const { read } = await aStore()
  expect([await read({}), await read({ limit: 3 })]).toEqual(Array(2).fill('1,2,3 202603.3'))
  expect([await read({ limit: 2 }), await read({ limit: 1, cursor: '202603.1' })]).toEqual([
    ...['1,2 202603.2 more', '2 202603.2 more'],
  ])
  expect([await read({ cursor: '202603.2' }), await read({ cursor: '202603.3' })]).toEqual(['3 202603.3', ' 202603.3'])
  expect([await read({ cursor: '202602.0' }), await read({ cursor: '202602.0', limit: 1 })]).toEqual([
    ...['1,2 202603.0 more', '1 202602.1 more'],
  ])
  const behind = '202603.99999999999999999999'
  expect(await read({ cursor: behind })).toBe(` ${behind}`)
})

test('a past month is closed before its reader leaves it', async () => {
  const { time, read, openMonth } = await aStore()
  time.now = Date.parse('2026-04-01T00:00:00Z')
  expect([await read({ cursor: '202603.2' }), await openMonth()]).toEqual(['3 202604.0 more', '202604'])
  expect([await read({}), await openMonth()]).toEqual([' 202604.0', '202604'])
})

test('after the clock was set back, the month being written can be read', async () => {
  const { time, read } = await aStore()
  time.now = Date.parse('2026-02-20T00:00:00Z')
  expect([await read({ cursor: '202603.1' }), await read({ cursor: '202602.1' })]).toEqual([
    ...['2,3 202603.3', '2 202603.0 more'],
  ])
  expect(await read({ cursor: '202604.0' })).toBe(' 202604.0')
})

test('a cursor of a deleted month continues with the first that can be read; a false one is rejected', async () => {
  const { read, refused } = await aStore()
  expect([await read({ cursor: '202412.5' }), await read({ cursor: '202502.1' })]).toEqual([
    ...['1 202503.0 more', ' 202503.0 more'],
  ])
  expect(await refused({ cursor: 'x' })).toBe('INVALID_CURSOR')
  expect(await read({ cursor: '202604.0' })).toBe(' 202604.0')
})

test('a time starts with the first record of its minute', async () => {
  const { read, refused } = await aStore()
  expect(await read({ from: '2026-03-10T10:00:30Z' })).toBe('1,2,3 202603.3')
  expect([await read({ from: '2026-03-10T10:01:00Z' }), await read({ from: '2026-03-10T10:05:30Z' })]).toEqual(
    Array(2).fill('3 202603.3'),
  )
  expect([await read({ from: '2026-03-10T10:06:00Z' }), await read({ from: '2026-05-01T00:00:00Z' })]).toEqual(
    Array(2).fill(' 202603.3'),
  )
  expect([await read({ from: '2026-03-01T00:00:00Z' }), await read({ from: '2026-02-10T10:01:00Z' })]).toEqual([
    ...['1,2,3 202603.3', ' 202603.0 more'],
  ])
  expect([await read({ from: '2025-01-10T00:00:00Z' }), await read({ from: '2025-02-20T00:00:00Z' })]).toEqual([
    ...['1 202503.0 more', ' 202503.0 more'],
  ])
  expect(await read({ from: '1970-01-01T00:00:00.000Z' })).toBe('1 202503.0 more')
  expect([await refused({ from: 'x' }), await refused({ from: '1969-12-31T23:59:59.999Z' })]).toEqual(
    Array(2).fill('INVALID_PARAMETER'),
  )
})
