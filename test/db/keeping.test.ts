import { describe, expect, test } from 'vitest'
import { lastOf, nextOf, nextRunOf } from '../../src/db/counter.ts'
import { forgetExpired, type OnceResult, runOnce } from '../../src/db/idempotency-keys.ts'
import type { Store } from '../../src/db/store.ts'
import { engines } from '../support/databases/engines.ts'
import { accounts, anAccount, probeOptions } from './probe.ts'

describe.each(engines)('on $name', (engine) => {
  const open = async () => (await engine.database()).open(probeOptions)

  describe('a series', () => {
    test('begins with 1 and has no gap', async () => {
      const store = await open()
      for (const n of [1, 2, 3]) expect(await store.write((tx) => nextOf(tx, 's'))).toBe(n)
      expect(await store.write((tx) => nextOf(tx, 'another'))).toBe(1)
    })

    test('gives several numbers at once, without a gap', async () => {
      const store = await open()
      expect(await store.write((tx) => nextRunOf(tx, 's', 5))).toBe(1)
      expect(await store.write((tx) => nextRunOf(tx, 's', 3))).toBe(6)
      expect(await store.write((tx) => nextOf(tx, 's'))).toBe(9)
    })

    test.each([0, -1, 1.5])('has no run of %d', async (count) => {
      const store = await open()
      await expect(store.write((tx) => nextRunOf(tx, 's', count))).rejects.toThrow('at least 1')
    })

    test('reuses a number when its write fails', async () => {
      const store = await open()
      const write = store.write(async (tx) => {
        await nextOf(tx, 's')
        throw new Error('no')
      })
      await expect(write).rejects.toThrow('no')
      expect(await store.read((reader) => lastOf(reader, 's'))).toBe(0)
      expect(await store.write((tx) => nextOf(tx, 's'))).toBe(1)
    })

    test('returns every number once, also to concurrent callers', async () => {
      const store = await open()
      const runs = await Promise.all(
        Array.from({ length: 60 }, async (_, i) => {
          const count = 1 + (i % 3)
          const from = await store.write((tx) => nextRunOf(tx, 's', count))
          return Array.from({ length: count }, (_, k) => from + k)
        }),
      )
      expect(runs.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, i) => i + 1))
      expect(await store.read((reader) => lastOf(reader, 's'))).toBe(120)
    })
  })

  describe('a request with an idempotency key', () => {
    test('is processed the first time and gets the same response afterwards, with its fields in any order', async () => {
      const store = await open()
      expect(await ask(store, 'k', { a: 1, b: '2' }, 'x')).toEqual({ outcome: 'new', answer: { made: 'x' } })
      expect(await ask(store, 'k', { b: '2', a: 1 }, 'y')).toEqual({ outcome: 'repeated', answer: { made: 'x' } })
      expect(await ask(store, 'k', { a: 1, b: '2' }, 'z')).toEqual({ outcome: 'repeated', answer: { made: 'x' } })
      expect(await store.read(accounts)).toEqual(['x'])
    })

    test('is a conflict when another one has the key, and is not processed', async () => {
      const store = await open()
      await ask(store, 'k', { a: 1 }, 'x')
      expect(await ask(store, 'k', { a: 2 }, 'y')).toEqual({ outcome: 'conflict' })
      expect(await ask(store, 'k', { a: 1 }, 'z')).toEqual({ outcome: 'repeated', answer: { made: 'x' } })
      expect(await store.read(accounts)).toEqual(['x'])
    })

    test('is a separate one in another scope', async () => {
      const store = await open()
      await ask(store, 'k', {}, 'x')
      expect(await ask(store, 'k', {}, 'y', { scope: 'elsewhere' })).toEqual({
        outcome: 'new',
        answer: { made: 'y' },
      })
    })

    test('may be repeated after a refusal, which is not stored', async () => {
      const store = await open()
      const refused = store.write((tx) => runOnce(tx, aRequest('k', {}), () => Promise.reject(new Error('no'))))
      await expect(refused).rejects.toThrow('no')
      expect(await ask(store, 'k', { other: true }, 'x')).toEqual({ outcome: 'new', answer: { made: 'x' } })
    })

    test('expires at its time, and not before', async () => {
      const store = await open()
      await ask(store, 'k', {}, 'x', { at: 1000, expiresAt: 2000 })
      expect(await ask(store, 'k', {}, 'y', { at: 1999 })).toEqual({ outcome: 'repeated', answer: { made: 'x' } })
      const later = { at: 2000, expiresAt: 3000 }
      expect(await ask(store, 'k', { other: 1 }, 'z', later)).toEqual({ outcome: 'new', answer: { made: 'z' } })
      expect(await ask(store, 'k', { other: 1 }, 'w', { at: 2999 })).toEqual({
        outcome: 'repeated',
        answer: { made: 'z' },
      })
      expect(await ask(store, 'k', {}, 'w', { at: 2999 })).toEqual({ outcome: 'conflict' })
    })

    test('is deleted after it has expired, a limited number at a time, the oldest first', async () => {
      const store = await open()
      for (const n of [3, 1, 2, 9]) await ask(store, `k${n}`, {}, `x${n}`, { at: 0, expiresAt: n })
      const forget = (limit: number) => store.write((tx) => forgetExpired(tx, limit), { at: 3 })
      const left = () => store.read(({ q }) => q.selectFrom('store_once').select('key').orderBy('expires_at').execute())
      expect(await forget(2)).toBe(2)
      expect(await left()).toEqual([{ key: 'k3' }, { key: 'k9' }])
      expect(await forget(10)).toBe(1)
      expect(await forget(10)).toBe(0)
      expect(await left()).toEqual([{ key: 'k9' }])
    })

    test('is processed by exactly one of many concurrent callers; the others get its response', async () => {
      const store = await open()
      const results = await Promise.all(Array.from({ length: 30 }, (_, i) => ask(store, 'k', { same: true }, `x${i}`)))
      const firsts = results.filter((result) => result.outcome === 'new')
      expect(firsts).toHaveLength(1)
      const answer = firsts[0]?.answer
      for (const result of results)
        if (result.outcome !== 'new') expect(result).toEqual({ outcome: 'repeated', answer })
      expect(await store.read(accounts)).toEqual([answer?.made])
    })

    test('has one winner when different ones race for its key, and the rest are conflicts', async () => {
      const store = await open()
      const results = await Promise.all(Array.from({ length: 20 }, (_, i) => ask(store, 'k', { i }, `x${i}`)))
      expect(results.filter((result) => result.outcome === 'new')).toHaveLength(1)
      expect(results.filter((result) => result.outcome === 'conflict')).toHaveLength(19)
      expect(await store.read(accounts)).toHaveLength(1)
    })

    test('stores an empty response', async () => {
      const store = await open()
      const nothing = () => store.write((tx) => runOnce(tx, aRequest('k', {}), async () => null))
      expect(await nothing()).toEqual({ outcome: 'new', answer: null })
      expect(await nothing()).toEqual({ outcome: 'repeated', answer: null })
    })

    test('must have a response that can be stored', async () => {
      const store = await open()
      const write = store.write((tx) => runOnce(tx, aRequest('k', {}), async () => undefined))
      await expect(write).rejects.toThrow('JSON value')
    })
  })
})

function aRequest(key: string, content: unknown) {
  return { scope: 'tests', key, request: content, expiresAt: Number.MAX_SAFE_INTEGER }
}

/** Sends a request to create an account, and returns the created one. */
function ask(
  store: Store,
  key: string,
  content: unknown,
  account: string,
  options: { scope?: string; expiresAt?: number; at?: number } = {},
): Promise<OnceResult<{ made: string }>> {
  const { at = 0, ...rest } = options
  const request = { ...aRequest(key, content), ...rest }
  return store.write((tx) => runOnce(tx, request, async () => ({ made: await anAccount(tx, account) })), { at })
}
