import { describe, expect, test } from 'vitest'
import { latestFirst } from '../../../src/services/casino/queries/transfers.ts'
import { parseReply, prefix, type RawRequest, sendRaw } from '../../support/http/raw.ts'
import { auditBalances } from '../../support/program/audit.ts'
import { aTenant } from '../../support/worlds/people.ts'
import { inFile, inMemory, onPostgres, testWorld } from '../../support/worlds/world.ts'

/** A tenant whose deposits and withdrawals are sent signed, with a nonce of the test's choice. */
async function aWallet(on: typeof inMemory) {
  const world = await testWorld({ on })
  const tenant = await aTenant(world)
  const send = async (kind: 'deposit' | 'withdraw', nonce: string, order: object) => {
    const body = JSON.stringify({ username: 'amy', amount: '5', currency: 'USD', ...order })
    const request: RawRequest = { method: 'POST', url: `${prefix}/wallet/${kind}`, body, nonce }
    return parseReply(await sendRaw(world, tenant.key, request))
  }
  const balance = async (username = 'amy') => (await tenant.client.balance({ query: { username } })).balance
  return { world, tenant, send, balance }
}

const repeated = { status: 401, code: 'UNAUTHORIZED', message: 'nonce already used' }
const nonceOf = (n: number) => `nonceOfAMovement${n}`

describe.each([inMemory, inFile, onPostgres])('movements that share a transaction on $name', (on) => {
  test('a refused one keeps its nonce, for any reason', async () => {
    const { send, balance } = await aWallet(on)
    expect(await send('deposit', nonceOf(0), { txnId: 't-0' })).toEqual({ status: 200 })
    const refused = [
      await send('withdraw', nonceOf(1), { txnId: 't-1', amount: '6' }),
      await send('deposit', nonceOf(2), { txnId: 't-2', currency: 'EUR' }),
      await send('deposit', nonceOf(3), { txnId: 't-0', amount: '7' }),
      // Refused before its handler, by the schema.
      await send('deposit', nonceOf(4), { txnId: 't-4', amount: 'five' }),
      await send('withdraw', nonceOf(5), { txnId: 't-5', username: 'nobody' }),
    ]
    expect(refused.map(({ code }) => code)).toEqual([
      'INSUFFICIENT_BALANCE',
      'CURRENCY_MISMATCH',
      'TXN_CONFLICT',
      'INVALID_AMOUNT',
      'PLAYER_NOT_FOUND',
    ])
    for (const n of [0, 1, 2, 3, 4, 5])
      expect(await send('deposit', nonceOf(n), { txnId: `again-${n}` })).toEqual(repeated)
    expect(await balance()).toBe('5')
  })

  test('each has its own outcome, in order of arrival', async () => {
    const { world, send, balance } = await aWallet(on)
    const outcomes = await Promise.all([
      send('deposit', nonceOf(1), { txnId: 't-1' }),
      send('deposit', nonceOf(1), { txnId: 't-2' }),
      send('withdraw', nonceOf(2), { txnId: 't-3', amount: '3' }),
      send('withdraw', nonceOf(3), { txnId: 't-4', amount: '3' }),
      send('deposit', nonceOf(4), { txnId: 't-1' }),
      send('deposit', nonceOf(5), { txnId: 't-5', username: 'Bob' }),
      send('deposit', nonceOf(6), { txnId: 't-6', username: 'bob', amount: '1.25' }),
    ])
    expect(outcomes.map(({ status, code }) => code ?? status)).toEqual([
      200,
      'UNAUTHORIZED',
      200,
      'INSUFFICIENT_BALANCE',
      200,
      200,
      200,
    ])
    expect(await balance()).toBe('2')
    expect(await balance('bob')).toBe('6.25')
    expect(await auditBalances(world.store)).toEqual([])
  })

  test('one that fails unexpectedly fails alone, and uses up no nonce', async () => {
    const { world, send, balance } = await aWallet(on)
    for (const [n, username] of ['amy', 'bob'].entries())
      await send('deposit', nonceOf(n), { txnId: `t-${n}`, username })
    await world.store.write(({ q }) =>
      q.updateTable('casino_players').set({ balance: 'damaged' }).where('name_key', '=', 'bob').execute(),
    )
    const outcomes = await Promise.all([
      send('deposit', nonceOf(2), { txnId: 't-2' }),
      send('deposit', nonceOf(3), { txnId: 't-3', username: 'bob' }),
      send('deposit', nonceOf(4), { txnId: 't-4' }),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual([200, 500, 200])
    expect(await balance()).toBe('15')
    expect(await send('deposit', nonceOf(3), { txnId: 't-5' })).toEqual({ status: 200 })
    const two = await Promise.all([
      send('deposit', nonceOf(6), { txnId: 't-6', username: 'bob' }),
      send('deposit', nonceOf(7), { txnId: 't-7' }),
    ])
    expect(two.map(({ status }) => status)).toEqual([500, 200])
  })
})

test('transfers of one txnId are sorted by their time, with any IDs', () => {
  const row = {
    tenant: 'ACME',
    txn_id: 't',
    player_id: 'p',
    dir: 'in',
    amount: '1',
    change: '1',
    balance: '1',
  } as const
  const at = (id: string, time: number) => ({ ...row, id, at: time })
  const order = [at('a', 3), at('c', 2), at('b', 2), at('d', 1)]
  for (const rows of [order, order.toReversed(), [2, 0, 3, 1].flatMap((i) => order[i] ?? [])])
    expect(latestFirst(rows).map(({ id }) => id)).toEqual(['a', 'c', 'b', 'd'])
})
