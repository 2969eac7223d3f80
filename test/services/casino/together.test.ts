import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../src/http/client/client.ts'
import { tenantSigner } from '../../../src/http/client/signers.ts'
import { overHttp, signed } from '../../../src/http/client/transport.ts'
import { casino } from '../../../src/services/casino/api/contract.ts'
import { auditBalances } from '../../support/program/audit.ts'
import { served, workbench } from '../../support/program/processes.ts'
import { aTenant, type CasinoClient, clientOf, refuses } from '../../support/worlds/people.ts'
import { faultyProxy } from '../../support/worlds/served.ts'
import { machineClock, onPostgres, testWorld } from '../../support/worlds/world.ts'

/** Several processes on one database, like served worlds next to each other. */

const usernames = Array.from({ length: 5 }, (_, i) => `p${i}`)
const input = (txnId: string, username: string, amount = '1') => ({
  body: { username, txnId, amount, currency: 'USD' },
})

describe('two worlds on PostgreSQL', () => {
  test('move the money of many players at once, each transfer once, with refused ones among them', async () => {
    const database = await onPostgres.database()
    const one = await testWorld({ database, seed: null })
    const other = await testWorld({ database, seed: null })
    const tenants = [await aTenant(one), await aTenant(one)]
    const clients = tenants.map(({ key }) => [clientOf(one, key), clientOf(other, key)] as const)
    /** Every request is sent to both worlds, so that one of the two is a duplicate. */
    const inBoth = async (
      pair: readonly CasinoClient[],
      ask: (client: CasinoClient) => Promise<{ duplicate: boolean }>,
    ) => {
      const answers = await Promise.all(pair.map(ask))
      expect(answers.map(({ duplicate }) => duplicate).toSorted()).toEqual([false, true])
    }
    await Promise.all(
      clients.flatMap((pair) =>
        Array.from({ length: 20 }, async (_, i) => {
          const [client] = pair
          const username = usernames[i % usernames.length] ?? ''
          await inBoth(pair, (client) => client.deposit(input(`in-${i}`, username, '2')))
          if (i % 4 === 1) await inBoth(pair, (client) => client.withdraw(input(`out-${i}`, username)))
          if (i % 4 === 2) await refuses('INSUFFICIENT_BALANCE', client.withdraw(input(`far-${i}`, username, '1000')))
          if (i % 4 === 3) await refuses('TXN_CONFLICT', client.deposit(input(`in-${i}`, username, '3')))
          if (i % 8 === 4)
            await refuses(
              'CURRENCY_MISMATCH',
              client.deposit({ body: { ...input('x', username).body, currency: 'EUR' } }),
            )
        }),
      ),
    )
    for (const [client] of clients) {
      const balances = usernames.map(async (username) => (await client.balance({ query: { username } })).balance)
      // Four deposits of 2 each, one of them followed by a withdrawal of 1.
      expect(await Promise.all(balances)).toEqual(usernames.map(() => '7'))
    }
    expect(await auditBalances(one.store)).toEqual([])
  })

  test('a tenant does not wait for another, in any process', async () => {
    const database = await onPostgres.database()
    const world = await testWorld({ database })
    const [held, free] = [await aTenant(world), await aTenant(world)]
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    onTestFinished(() => gate.resolve())
    const second = await testWorld({ database })
    const holding = second.store.write(
      async () => {
        begun.resolve()
        await gate.promise
      },
      { writeGroup: `casino players ${held.code}` },
    )
    await begun.promise
    let isDone = false
    const waiting = held.client.deposit(input('t-1', 'amy')).then((result) => {
      isDone = true
      return result
    })
    expect(await free.client.deposit(input('t-1', 'amy'))).toMatchObject({ balance: '1' })
    // A read waits for no tenant's write.
    await refuses('PLAYER_NOT_FOUND', held.client.balance({ query: { username: 'amy' } }))
    expect(isDone).toBe(false)
    gate.resolve()
    await holding
    expect(await waiting).toMatchObject({ balance: '1', duplicate: false })
  })

  test('when one is killed the other continues, with every acknowledged request and no duplicate', async () => {
    const database = await onPostgres.database()
    const { folder, env, done } = workbench('together')
    onTestFinished(done)
    const dying = await served(folder, env, ['--db', database.url, '--no-rate-limit'])
    onTestFinished(() => dying.kill())
    const key = JSON.parse(readFileSync(dying.readyFile, 'utf8')).casino.live
    const other = await testWorld({ database, seed: null, time: machineClock })
    const sign = tenantSigner({ ...key, now: Date.now, random: other.casino.random })
    // The responses of its last five requests are lost, so that some are unacknowledged at any time of the kill.
    const proxy = await faultyProxy(dying.baseUrl)
    proxy.treat(/deposit/, ...Array(35).fill('pass'), ...Array(5).fill('drop-after'))
    const client = createClient(casino, signed(overHttp(proxy.url), sign))
    const living = clientOf(other, key)
    const acknowledged = new Set<string>()
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const request = input(`kill-${i}`, `k${i % 3}`)
        // Every third request goes to the remaining world.
        const answer = await (i % 3 === 0 ? living : client).deposit(request).catch(() => undefined)
        if (answer) acknowledged.add(request.body.txnId)
        if (acknowledged.size === 15) await dying.kill()
      }),
    )
    expect(acknowledged.size).toBeGreaterThanOrEqual(20)
    expect(acknowledged.size).toBeLessThanOrEqual(55)
    for (let i = 0; i < 60; i++) {
      const again = await living.deposit(input(`kill-${i}`, `k${i % 3}`))
      if (acknowledged.has(again.txnId)) expect(again.duplicate, again.txnId).toBe(true)
    }
    for (const username of ['k0', 'k1', 'k2'])
      expect(await living.balance({ query: { username } })).toMatchObject({ balance: '20' })
    expect(await auditBalances(other.store)).toEqual([])
  })
})
