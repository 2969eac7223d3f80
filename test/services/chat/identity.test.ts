import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { world } from '../../../src/db/migrations/world/index.ts'
import { revokeRoomTokens, rotateIdentitySecret } from '../../../src/services/chat/admin.ts'
import { keepingEngines } from '../../support/databases/engines.ts'
import { aHelpdesk, aMerchant, type Helpdesk, refuses, widgetClient } from './helpdesk.ts'

/** An identity in the format of 3-chat-api's widget (chat-shapes 1.7): hex HMAC-SHA256 of account + "." + issuedAt. */
function signed(secret: string, customerAccount: string, at: number) {
  const issuedAt = Math.floor(at / 1000)
  return {
    customerAccount,
    issuedAt,
    signature: createHmac('sha256', secret).update(`${customerAccount}.${issuedAt}`).digest('hex'),
  }
}

const updatesOf = (helpdesk: Helpdesk, roomId: string) =>
  helpdesk.app.store.read(async ({ q }) => {
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
    return aHelpdesk({ store: (now) => database.open({ migrations: world, now }) })
  }

  test('an identity is exchanged for a token without creating a room, and the token opens the room of its account', async () => {
    const helpdesk = await open()
    const { tenantKey, identitySecret, agent } = await aMerchant(helpdesk)
    const visitor = widgetClient(helpdesk, tenantKey)
    const identity = signed(identitySecret, 'player-77', helpdesk.clock.now)
    const proven = await visitor.identify({ query: {}, body: { identity } })
    expect(proven).toMatchObject({ roomId: null, roomToken: expect.stringMatching(/^it_/) })
    expect((await agent.rooms({ query: {} })).total).toBe(0)
    // Longer than a signature is valid.
    helpdesk.clock.now += 3_600_000
    const body = { customerDisplayName: 'Ann', customerEmail: 'ann@shop.example' }
    const room = await widgetClient(helpdesk, tenantKey, proven.roomToken).openRoom({ query: {}, body })
    expect(room).toMatchObject({ created: true, customerAccount: 'player-77', customerEmail: 'ann@shop.example' })
    const again = signed(identitySecret, 'player-77', helpdesk.clock.now)
    expect((await visitor.identify({ query: {}, body: { identity: again } })).roomId).toBe(room.roomId)
    helpdesk.clock.now += 24 * 3_600_000
    await refuses(
      'INVALID_ROOM_TOKEN',
      widgetClient(helpdesk, tenantKey, proven.roomToken).openRoom({ query: {}, body: {} }),
    )
  })

  test('a name or email address set later reaches the room and its agents, and is sent once', async () => {
    const helpdesk = await open()
    const { tenantKey, identitySecret, agent } = await aMerchant(helpdesk)
    const visitor = widgetClient(helpdesk, tenantKey)
    const { roomId, roomToken } = await visitor.openRoom({ query: {}, body: {} })
    const before = await updatesOf(helpdesk, roomId)
    const body = { customerDisplayName: 'Ann', customerEmail: 'ann@shop.example' }
    for (let i = 0; i < 2; i++) await widgetClient(helpdesk, tenantKey, roomToken).openRoom({ query: {}, body })
    expect(await agent.room({ params: { roomId } })).toMatchObject(body)
    expect(await updatesOf(helpdesk, roomId)).toBe(before + 1)
    // A blank value changes nothing.
    const blank = { customerDisplayName: '', customerEmail: '' }
    await widgetClient(helpdesk, tenantKey, roomToken).openRoom({ query: {}, body: blank })
    expect(await agent.room({ params: { roomId } })).toMatchObject(body)
    const identity = signed(identitySecret, 'bea', helpdesk.clock.now)
    const bea = await visitor.openRoom({ query: {}, body: { identity } })
    await visitor.identify({ query: {}, body: { identity, customerDisplayName: 'Bea' } })
    expect(await agent.room({ params: { roomId: bea.roomId } })).toMatchObject({ customerDisplayName: 'Bea' })
  })
})

test('another customer on the same browser never gets the first one’s room', async () => {
  const helpdesk = await aHelpdesk()
  const { tenantKey, identitySecret } = await aMerchant(helpdesk)
  const anonymous = await widgetClient(helpdesk, tenantKey).openRoom({ query: {}, body: {} })
  const as = (account: string, token: string) =>
    widgetClient(helpdesk, tenantKey, token).openRoom({
      query: {},
      body: { identity: signed(identitySecret, account, helpdesk.clock.now) },
    })
  // The browser still has the token of the previous customer: the identity decides.
  const ann = await as('ann', anonymous.roomToken)
  const bob = await as('bob', ann.roomToken)
  expect(new Set([anonymous.roomId, ann.roomId, bob.roomId]).size).toBe(3)
  await refuses(
    'INVALID_ROOM_TOKEN',
    widgetClient(helpdesk, tenantKey, bob.roomToken).room({ params: { roomId: ann.roomId }, query: {} }),
  )
  const stolen = await widgetClient(helpdesk, tenantKey).identify({
    query: {},
    body: { identity: signed(identitySecret, 'cho', helpdesk.clock.now) },
  })
  await refuses(
    'INVALID_ROOM_TOKEN',
    widgetClient(helpdesk, tenantKey, stolen.roomToken).room({ params: { roomId: ann.roomId }, query: {} }),
  )
  await refuses(
    'INVALID_ROOM_TOKEN',
    widgetClient(helpdesk, tenantKey, `${stolen.roomToken}x`).openRoom({ query: {}, body: {} }),
  )
})

test('an identity is valid for 300 seconds in either direction, and not a second longer', async () => {
  const helpdesk = await aHelpdesk()
  const { tenantKey, identitySecret } = await aMerchant(helpdesk)
  const visitor = widgetClient(helpdesk, tenantKey)
  const at = (seconds: number) =>
    visitor.identify({
      query: {},
      body: { identity: signed(identitySecret, 'ann', helpdesk.clock.now + seconds * 1_000) },
    })
  for (const seconds of [-300, -299, 0, 299, 300]) expect((await at(seconds)).roomId).toBeNull()
  for (const seconds of [-301, 301]) await refuses('IDENTITY_INVALID', at(seconds))
})

test('a rotated identity secret stays valid for the grace period, and only the latest one does', async () => {
  const helpdesk = await aHelpdesk()
  const { code, tenantKey, identitySecret: first } = await aMerchant(helpdesk)
  const visitor = widgetClient(helpdesk, tenantKey)
  const by = (secret: string) =>
    visitor.identify({ query: {}, body: { identity: signed(secret, 'ann', helpdesk.clock.now) } })
  const { identitySecret: second } = await rotateIdentitySecret(helpdesk.app, code, 3_600_000)
  for (const secret of [first, second]) expect((await by(secret)).roomId).toBeNull()
  helpdesk.clock.now += 3_599_999
  await by(first)
  helpdesk.clock.now += 1
  await refuses('IDENTITY_INVALID', by(first))
  await by(second)
  const { identitySecret: third } = await rotateIdentitySecret(helpdesk.app, code, 3_600_000)
  const { identitySecret: fourth } = await rotateIdentitySecret(helpdesk.app, code, 3_600_000)
  await refuses('IDENTITY_INVALID', by(second))
  for (const secret of [third, fourth]) await by(secret)
  await rotateIdentitySecret(helpdesk.app, code, 0)
  await refuses('IDENTITY_INVALID', by(fourth))
})

test('revoking room tokens ends the tokens of verified identities too', async () => {
  const helpdesk = await aHelpdesk()
  const { code, tenantKey, identitySecret } = await aMerchant(helpdesk)
  const identity = signed(identitySecret, 'ann', helpdesk.clock.now)
  const { roomToken } = await widgetClient(helpdesk, tenantKey).identify({ query: {}, body: { identity } })
  await revokeRoomTokens(helpdesk.app, code, {})
  await refuses('INVALID_ROOM_TOKEN', widgetClient(helpdesk, tenantKey, roomToken).openRoom({ query: {}, body: {} }))
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
])('%j is no email address', async (customerEmail) => {
  const helpdesk = await aHelpdesk()
  const { tenantKey, bot, agent } = await aMerchant(helpdesk)
  const body = { customerEmail: customerEmail as string }
  await refuses('INVALID_PARAMETER', widgetClient(helpdesk, tenantKey).openRoom({ query: {}, body }))
  await refuses('INVALID_PARAMETER', bot.openRoom({ body: { customerAccount: 'ann', ...body } }))
  expect((await agent.rooms({ query: {} })).total).toBe(0)
})
