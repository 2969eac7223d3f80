import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Account,
  type AccountKind,
  accountKinds,
  accountName,
  type Entry,
  moved,
  posted,
} from '../../../src/domain/payments/ledger.ts'

const account = (kind: AccountKind, owner = 'm1', currency = 'btc'): Account => ({ kind, owner, currency })

describe('a posting', () => {
  test('takes from one account what it gives to another', () => {
    const entries = moved(account('chain'), account('pending'), 70n)
    expect(posted(entries, () => 0n)).toEqual([
      { account: account('chain'), balance: -70n },
      { account: account('pending'), balance: 70n },
    ])
  })

  test('that does not sum to zero is a bug', () => {
    expect(() => posted([{ ...account('available'), units: 1n }], () => 0n)).toThrow(/sums to 1/)
  })

  test('sums to zero in each currency, not across them', () => {
    const entries: Entry[] = [
      { ...account('available', 'm1', 'btc'), units: -5n },
      { ...account('exchange', 'm1', 'eth'), units: 5n },
    ]
    expect(() => posted(entries, () => 100n)).toThrow(/btc/)
  })

  test('that would take an inside account below zero is refused completely', () => {
    expect(posted(moved(account('available'), account('held'), 8n), () => 7n)).toBe('too-little')
    expect(posted(moved(account('available'), account('held'), 7n), () => 7n)).not.toBe('too-little')
  })

  test('may contain one account twice: its final balance counts', () => {
    const entries = [
      ...moved(account('chain'), account('available'), 5n),
      ...moved(account('available'), account('fees'), 5n),
    ]
    const after = posted(entries, () => 0n)
    expect(after).toContainEqual({ account: account('available'), balance: 0n })
  })
})

test('after any history every account is the sum of its entries, and all of a currency sum to zero', () => {
  const anAccount = fc.record({
    kind: fc.constantFrom(...(Object.keys(accountKinds) as AccountKind[])),
    owner: fc.constantFrom('m1', 'm2', 's1'),
    currency: fc.constantFrom('btc', 'eth'),
  })
  const aMove = fc.record({ from: anAccount, to: anAccount, units: fc.bigInt({ min: 0n, max: 10n ** 20n }) })
  fc.assert(
    fc.property(fc.array(fc.array(aMove, { minLength: 1, maxLength: 4 }), { maxLength: 60 }), (history) => {
      const balances = new Map<string, bigint>()
      const entries: Entry[] = []
      for (const moves of history) {
        const posting = moves.flatMap(({ from, to, units }) => moved(from, { ...to, currency: from.currency }, units))
        const after = posted(posting, (each) => balances.get(accountName(each)) ?? 0n)
        if (after === 'too-little') continue
        entries.push(...posting)
        for (const { account: each, balance } of after) balances.set(accountName(each), balance)
      }
      for (const currency of ['btc', 'eth']) {
        let total = 0n
        for (const [name, balance] of balances) if (name.endsWith(`/${currency}`)) total += balance
        expect(total).toBe(0n)
      }
      for (const [name, balance] of balances) {
        const own = entries.filter((entry) => accountName(entry) === name).reduce((sum, { units }) => sum + units, 0n)
        expect(balance).toBe(own)
        const kind = name.split('/')[0] as AccountKind
        if (accountKinds[kind] === 'inside') expect(balance).toBeGreaterThanOrEqual(0n)
      }
    }),
  )
})
