import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { selectableEvents, webhookEvents } from '../../../../src/domain/webhooks/events.ts'
import { topUp } from '../../../../src/services/casino/admin/index.ts'
import { readWebhook, sendTest, setWebhook } from '../../../../src/services/casino/admin/webhook-settings.ts'
import { logout, updatePlayer } from '../../../../src/services/casino/players/players.ts'
import { dealExactly } from '../../../../src/services/casino/simulator/index.ts'
import { aReceiver } from '../../../support/http/receiver.ts'
import { asCaller, aWebhook, aWorld, monday } from '../../../support/worlds/webhook-world.ts'
import { fieldsOf, moment } from '../fields.ts'
import { webhookSecret } from '../limits.ts'
import * as book from './webhooks.ts'

test('the events are those of the table, and all except the test are selected', () => {
  expect([...webhookEvents].toSorted()).toEqual(book.events.map(({ event }) => event).toSorted())
  const chosen = book.events.filter((each) => each.chosen).map(({ event }) => event)
  expect([...selectableEvents].toSorted()).toEqual(chosen.toSorted())
})

test.each(book.refusedUrls)('a webhook at "%s" is refused', async (url) => {
  const world = await aWorld()
  await expect(setWebhook(world.casino, 'DEMO', { url })).rejects.toThrow()
})

describe('the request', () => {
  async function sendWebhooks() {
    const [receiver, sandbox] = [await aReceiver(), await aReceiver()]
    const world = await aWorld()
    const secret = await aWebhook(world, receiver.url)
    await aWebhook(world, sandbox.url, { code: 'DEMO-SBX' })
    const round = { tableId: 'BAC-01', cardInfo: '5H4S3C5D----', slips: [{ username: 'amy', bets: { B: '10' } }] }
    const then = [{ correct: { cardInfo: 'KS4H7D2C----' } }, { void: true as const }]
    await dealExactly(world.casino, 'DEMO', { ...round, then })
    await dealExactly(world.casino, 'DEMO-SBX', round)
    const caller = await asCaller(world)
    await logout(world.casino, caller, 'amy')
    await updatePlayer(world.casino, caller, { username: 'amy', status: 'locked' })
    await topUp(world.casino, 'DEMO', '12.345678', 'r')
    await sendTest(world.casino, 'DEMO', 'hello')
    await world.settle()
    return { receiver, sandbox, secret, world }
  }

  test('has the headers, body fields and data of the tables', async () => {
    const { receiver, sandbox, secret } = await sendWebhooks()
    expect(secret).toMatch(webhookSecret)
    for (const { headers, raw, body } of receiver.got) {
      expect(Object.keys(body).toSorted()).toEqual([...book.bodyFields].toSorted())
      for (const { name, value, equals } of book.headers) {
        expect(String(headers[name])).toMatch(value)
        if (equals) expect(headers[name]).toBe(body[equals])
      }
      const [, t, v1] = /^t=(\d+),v1=(.*)$/.exec(String(headers['x-svc-signature'])) ?? []
      expect(v1).toBe(createHmac('sha256', secret).update(`${t}.`).update(raw).digest('hex'))
      expect(t).toBe(String(monday / 1000))
      expect(body.createdAt).toMatch(moment)
      const { data = [] } = book.events.find(({ event }) => event === body.event) ?? {}
      expect(Object.keys(body.data).toSorted(), body.event).toEqual([...data].toSorted())
    }
    const of = (event: string) => receiver.got.filter(({ body }) => body.event === event).map(({ body }) => body.data)
    for (const event of ['bet.settled', 'round.corrected', 'round.voided']) {
      expect(of(event)).toHaveLength(1)
      expect(Object.keys(of(event)[0].round).toSorted()).toEqual([...book.roundFields].toSorted())
      expect(Object.keys(of(event)[0].bets[0]).toSorted()).toEqual([...fieldsOf.betRecord].toSorted())
    }
    expect(
      of('player.kicked')
        .map(({ reason }) => reason)
        .toSorted(),
    ).toEqual(Object.values(book.kickReasons).toSorted())
    for (const amount of [of('account.topup')[0].amountUsd, of('account.topup')[0].balanceUsd])
      expect(amount).toMatch(book.cents)
    expect(receiver.got.map(({ body }) => body.companyCode).every((code) => code === 'DEMO')).toBe(true)
    expect(sandbox.got.map(({ body }) => body.companyCode)).toEqual([`DEMO${book.sandboxSuffix}`])
  })

  test('the sandbox has a secret of its own', async () => {
    const { world, secret } = await sendWebhooks()
    const { hook } = await readWebhook(world.casino, 'DEMO-SBX')
    expect(hook.secret).toMatch(webhookSecret)
    expect(hook.secret).not.toBe(secret)
  })
})
