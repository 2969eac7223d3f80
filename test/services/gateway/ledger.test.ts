import { describe, expect, test } from 'vitest'
import { moved } from '../../../src/domain/payments/ledger.ts'
import { accountOf, post, postOrThrow } from '../../../src/services/gateway/ledger.ts'
import { allBalances, allEntries } from '../../../src/services/gateway/queries/ledger.ts'
import { openHouse } from './house.ts'

const chain = accountOf('chain', 'production', 'btc')
const available = accountOf('available', 'm1', 'btc')
const held = accountOf('held', 'm1', 'btc')

/** A ledger in which m1 has 5 units. */
async function aLedger() {
  const { app } = await openHouse()
  await app.store.write((tx) => postOrThrow(app, tx, moved(chain, available, 5n), 'deposit'))
  /** Returns the accounts with their units, and the entries in order. */
  const content = () =>
    app.store.read(async (reader) => ({
      balances: (await allBalances(reader)).map(({ account, units }) => [account, units]),
      entries: (await allEntries(reader)).map(({ position, account, units, ref }) => [position, account, units, ref]),
    }))
  return { app, content }
}

const deposit = {
  balances: [
    ['available/m1/btc', '5'],
    ['chain/production/btc', '-5'],
  ],
  entries: [
    [0, 'chain/production/btc', '-5', 'deposit'],
    [1, 'available/m1/btc', '5', 'deposit'],
  ],
}

describe('a posting', () => {
  test('writes its entries in order and the balances of their accounts', async () => {
    const { app, content } = await aLedger()
    expect(await content()).toEqual(deposit)
    const result = await app.store.write((tx) => post(app, tx, moved(available, held, 3n), 'payout'))
    expect([result, (await content()).balances]).toEqual([
      'posted',
      [
        ['available/m1/btc', '2'],
        ['chain/production/btc', '-5'],
        ['held/m1/btc', '3'],
      ],
    ])
  })

  test('of nothing writes nothing', async () => {
    const { app, content } = await aLedger()
    expect(await app.store.write((tx) => post(app, tx, [], 'nothing'))).toBe('posted')
    expect(await content()).toEqual(deposit)
  })

  test('above the units of an account changes nothing, and is a bug if they must be there', async () => {
    const { app, content } = await aLedger()
    const entries = moved(available, held, 6n)
    expect(await app.store.write((tx) => post(app, tx, entries, 'payout'))).toBe('too-little')
    await expect(app.store.write((tx) => postOrThrow(app, tx, entries, 'payout/1'))).rejects.toThrow(
      'payout/1 moves more than the account has',
    )
    expect(await content()).toEqual(deposit)
  })

  test('that does not sum to zero is a bug, also if it has one entry only', async () => {
    const { app, content } = await aLedger()
    const unbalanced = app.store.write((tx) => post(app, tx, [{ ...available, units: 1n }], 'gift'))
    await expect(unbalanced).rejects.toThrow('sums to 1')
    expect(await content()).toEqual(deposit)
  })
})
