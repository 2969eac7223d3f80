import { expect, test } from 'vitest'
import type { Store } from '../../../../src/db/store.ts'
import { createKey, revokeKey } from '../../../../src/services/casino/admin/index.ts'
import { openKeyholders } from '../../../../src/services/casino/server/keyholders.ts'
import { aTenant } from '../../../support/worlds/people.ts'
import { testWorld } from '../../../support/worlds/world.ts'

/** Keys of a tenant, a reader of them, and the number of its snapshots. */
async function aReader() {
  const { casino, ...world } = await testWorld()
  const tenant = await aTenant({ ...world, casino })
  const other = await createKey(casino, tenant.code)
  let snapshots = 0
  const readTogether: Store['readTogether'] = (work) => {
    snapshots++
    return casino.store.readTogether(work)
  }
  const findKeyholder = openKeyholders({ ...casino, store: { ...casino.store, readTogether } })
  return { casino, keys: [tenant.key, other] as const, findKeyholder, snapshots: () => snapshots }
}

test('requests of one turn share a snapshot, and each gets the holder of its own key', async () => {
  const { keys, findKeyholder, snapshots } = await aReader()
  const wanted = Array.from({ length: 20 }, (_, i) => keys[i % 2]?.apiKey ?? '')
  const holders = await Promise.all([...wanted, 'ek_l_unknown'].map(findKeyholder))
  expect(holders.map((holder) => holder?.tenant.keyId)).toEqual([...wanted, undefined])
  expect(holders.map((holder) => holder?.secret)).toEqual([
    ...wanted.map((keyId) => keys.find(({ apiKey }) => apiKey === keyId)?.secret),
    undefined,
  ])
  expect(snapshots()).toBe(1)
})

test('a request during a read gets the next snapshot, in which a key revoked before the request is no longer active', async () => {
  const { casino, keys } = await aReader()
  const [{ apiKey }] = keys
  let second: Promise<unknown> | undefined
  const readTogether: Store['readTogether'] = async (work) => {
    const active = await casino.store.readTogether(work)
    if (second) return active
    await revokeKey(casino, apiKey)
    second = findKeyholder(apiKey)
    return active
  }
  const findKeyholder = openKeyholders({ ...casino, store: { ...casino.store, readTogether } })
  expect(await findKeyholder(apiKey)).toMatchObject({ tenant: { keyId: apiKey } })
  expect(second).toBeInstanceOf(Promise)
  expect(await second).toBe(undefined)
})

test('a read that fails fails only its own requests', async () => {
  const { casino, keys } = await aReader()
  let isDown = true
  const readTogether: Store['readTogether'] = (work) =>
    isDown ? Promise.reject(new Error('down')) : casino.store.readTogether(work)
  const findKeyholder = openKeyholders({ ...casino, store: { ...casino.store, readTogether } })
  const failed = await Promise.allSettled([findKeyholder(keys[0].apiKey), findKeyholder(keys[1].apiKey)])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isDown = false
  expect(await findKeyholder(keys[0].apiKey)).toMatchObject({ tenant: { keyId: keys[0].apiKey } })
})
