import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { world } from '../../../src/db/migrations/world/index.ts'
import { revokeRoomTokens, rotateIdentitySecret } from '../../../src/services/chat/admin.ts'
import { keepingEngines } from '../../support/databases/engines.ts'
import { aDesk, aMerchant, type Desk, refuses, widgetClient } from './desk.ts'

/** An identity in the format of 3-chat-api's widget (chat-shapes 1.7): hex HMAC-SHA256 of account + "." + issuedAt. */
function signed(secret: string, customerAccount: string, at: number) {
  const issuedAt = Math.floor(at / 1000)
  return {
    customerAccount,
    issuedAt,
    signature: createHmac('sha256', secret).update(`${customerAccount}.${issuedAt}`).digest('hex'),
  }
}

const updatesOf = (desk: Desk, roomId: string) =>
  desk.app.store.read(async ({ q }) => {
    const rows = await q
      .selectFrom('chat_events')
      .select('kind')
      .where('room_id', '=', roomId)
      .where('kind', '=', 'room.updated')
      .execute()
    return rows.length
  })

describe.each(keepingEngines)('identities on $name', (engine) => {
  const open = async () => {
    const database = await engine.database()
    return aDesk({ store: (now) => database.open({ migrations: world, now }) })
  }

  test('an identity is exchanged for a token without creating a room, and the token opens the room of its account', async () => {
    const desk = await open()
    const { tenantKey, identitySecret, agent } = await aMerchant(desk)
    const visitor = widgetClient(desk, tenantKey)
    const identity = signed(identitySecret, 'player-77', desk.clock.now)
    const proven = await visitor.identify({ query: {}, body: { identity } })
    expect(proven).toMatchObject({ roomId: null, roomToken: expect.stringMatching(/^it_/) })
    expect((await agent.rooms({ query: {} })).total).toBe(0)
    // Longer than a signature is valid.
    desk.clock.now += 3_600_000
    const body = { customerDisplayName: 'Ann', customerEmail: 'ann@shop.example' }
    const room = await widgetClient(desk, tenantKey, proven.roomToken).openRoom({ query: {}, body })
    expect(room).toMatchObject({ created: true, customerAccount: 'player-77', customerEmail: 'ann@shop.example' })
    const again = signed(identitySecret, 'player-77', desk.clock.now)
    expect((await visitor.identify({ query: {}, body: { identity: again } })).roomId).toBe(room.roomId)
    desk.clock.now += 24 * 3_600_000
    await refuses(
      'INVALID_ROOM_TOKEN',
      widgetClient(desk, tenantKey, proven.roomToken).openRoom({ query: {}, body: {} }),
    )
  })

  test('a name or e-mail address set later reaches the room and its agents, and is sent once', async () => {
    const desk = await open()
    const { tenantKey, identitySecret, agent } = await aMerchant(desk)
    const visitor = widgetClient(desk, tenantKey)
    const { roomId, roomToken } = await visitor.openRoom({ query: {}, body: {} })
    const before = await updatesOf(desk, roomId)
    const body = { customerDisplayName: 'Ann', customerEmail: 'ann@shop.example' }
    for (let i = 0; i < 2; i++) await widgetClient(desk, tenantKey, roomToken).openRoom({ query: {}, body })
    expect(await agent.room({ params: { roomId } })).toMatchObject(body)
    expect(await updatesOf(desk, roomId)).toBe(before + 1)
    // A blank value changes nothing.
    const blank = { customerDisplayName: '', customerEmail: '' }
    await widgetClient(desk, tenantKey, roomToken).openRoom({ query: {}, body: blank })
    expect(await agent.room({ params: { roomId } })).toMatchObject(body)
    const identity = signed(identitySecret, 'bea', desk.clock.now)
    const bea = await visitor.openRoom({ query: {}, body: { identity } })
    await visitor.identify({ query: {}, body: { identity, customerDisplayName: 'Bea' } })
    expect(await agent.room({ params: { roomId: bea.roomId } })).toMatchObject({ customerDisplayName: 'Bea' })
  })
})

test('another customer on the same browser never gets the first one’s room', async () => {
  const desk = await aDesk()
  const { tenantKey, identitySecret } = await aMerchant(desk)
  const anonymous = await widgetClient(desk, tenantKey).openRoom({ query: {}, body: {} })
  const as = (account: string, token: string) =>
    widgetClient(desk, tenantKey, token).openRoom({
      query: {},
      body: { identity: signed(identitySecret, account, desk.clock.now) },
    })
  // The browser still has the token of the previous customer: the identity decides.
  const ann = await as('ann', anonymous.roomToken)
  const bob = await as('bob', ann.roomToken)
  expect(new Set([anonymous.roomId, ann.roomId, bob.roomId]).size).toBe(3)
  await refuses(
    'INVALID_ROOM_TOKEN',
    widgetClient(desk, tenantKey, bob.roomToken).room({ params: { roomId: ann.roomId }, query: {} }),
  )
  const stolen = await widgetClient(desk, tenantKey).identify({
    query: {},
    body: { identity: signed(identitySecret, 'cho', desk.clock.now) },
  })
  await refuses(
    'INVALID_ROOM_TOKEN',
    widgetClient(desk, tenantKey, stolen.roomToken).room({ params: { roomId: ann.roomId }, query: {} }),
  )
  await refuses(
    'INVALID_ROOM_TOKEN',
    widgetClient(desk, tenantKey, `${stolen.roomToken}x`).openRoom({ query: {}, body: {} }),
  )
})

test('an identity is valid for 300 seconds in either direction, and not a second longer', async () => {
  const desk = await aDesk()
  const { tenantKey, identitySecret } = await aMerchant(desk)
  const visitor = widgetClient(desk, tenantKey)
  const at = (seconds: number) =>
    visitor.identify({
      query: {},
      body: { identity: signed(identitySecret, 'ann', desk.clock.now + seconds * 1_000) },
    })
  for (const seconds of [-300, -299, 0, 299, 300]) expect((await at(seconds)).roomId).toBeNull()
  for (const seconds of [-301, 301]) await refuses('IDENTITY_INVALID', at(seconds))
})

test('a rotated identity secret stays valid for the grace period, and only the latest one does', async () => {
  const desk = await aDesk()
  const { code, tenantKey, identitySecret: first } = await aMerchant(desk)
  const visitor = widgetClient(desk, tenantKey)
  const by = (secret: string) =>
    visitor.identify({ query: {}, body: { identity: signed(secret, 'ann', desk.clock.now) } })
  const { identitySecret: second } = await rotateIdentitySecret(desk.app, code, 3_600_000)
  for (const secret of [first, second]) expect((await by(secret)).roomId).toBeNull()
  desk.clock.now += 3_599_999
  await by(first)
  desk.clock.now += 1
  await refuses('IDENTITY_INVALID', by(first))
  await by(second)
  const { identitySecret: third } = await rotateIdentitySecret(desk.app, code, 3_600_000)
  const { identitySecret: fourth } = await rotateIdentitySecret(desk.app, code, 3_600_000)
  await refuses('IDENTITY_INVALID', by(second))
  for (const secret of [third, fourth]) await by(secret)
  await rotateIdentitySecret(desk.app, code, 0)
  await refuses('IDENTITY_INVALID', by(fourth))
})

test('revoking room tokens ends the tokens of verified identities too', async () => {
  const desk = await aDesk()
  const { code, tenantKey, identitySecret } = await aMerchant(desk)
  const identity = signed(identitySecret, 'ann', desk.clock.now)
  const { roomToken } = await widgetClient(desk, tenantKey).identify({ query: {}, body: { identity } })
  await revokeRoomTokens(desk.app, code, {})
  await refuses('INVALID_ROOM_TOKEN', widgetClient(desk, tenantKey, roomToken).openRoom({ query: {}, body: {} }))
})

test.each([
  'ann',
  'ann@shop',
  '@shop.example',
  'ann@shop..example',
  'a nn@shop.example',
  'ann@shop.example\n',
  `ann@${'x'.repeat(250)}.example`,
  7,
])('%j is no e-mail address', async (customerEmail) => {
  const desk = await aDesk()
  const { tenantKey, bot, agent } = await aMerchant(desk)
  const body = { customerEmail: customerEmail as string }
  await refuses('INVALID_PARAMETER', widgetClient(desk, tenantKey).openRoom({ query: {}, body }))
  await refuses('INVALID_PARAMETER', bot.openRoom({ body: { customerAccount: 'ann', ...body } }))
  expect((await agent.rooms({ query: {} })).total).toBe(0)
})
