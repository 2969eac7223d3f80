import { expect, test } from 'vitest'
import { hide, masked, maskedValue } from '../../../src/cli/outcome/secrets-mask.ts'
import { secretsIn } from '../../../src/domain/tickets/outgoing/secrets.ts'
import { inProcess } from '../../../src/http/client/transport.ts'
import { enableWebhook, setWebhook } from '../../../src/services/casino/admin/webhook-settings.ts'
import { ensureDemoWorld } from '../../../src/world/demo-data.ts'
import { chatOn, widgetOn } from '../../../src/world/library/connect.ts'
import { readyDocument } from '../../../src/world/ready-file.ts'
import { openWorld } from '../../../src/world/world.ts'

test('text in the form of a secret is never printed', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'
  expect(masked(`key ek_s_0123456789ABCDEF and ${jwt}`)).toBe('key ek_s_*** and ***')
  expect(masked('open postgres://count:pa:ss@db/x now')).toBe('open postgres://count:***@db/x now')
  expect(masked('https://h/Launch?token=abc&lang=ENG')).toBe('https://h/Launch?token=***&lang=ENG')
  const proof = 'a'.repeat(43)
  expect(masked(`ck_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6_${proof} cat_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6_${proof}`)).toBe(
    'ck_*** cat_***',
  )
  expect(masked(`a room's rt_${proof}.${proof}, and start_at`)).toBe("a room's rt_***, and start_at")
  expect(masked('http://127.0.0.1:8787/a and amy@example.com')).toBe('http://127.0.0.1:8787/a and amy@example.com')
})

test('secrets of our own services are recognized by their form, and neither printed nor sent to customers', async () => {
  const world = await openWorld({ db: ':memory:' })
  try {
    await ensureDemoWorld(world)
    const { casino, gateway, chat } = await readyDocument(world, 'http://127.0.0.1:1', ':memory:')
    if (!casino || !gateway || !chat) throw new Error('The demo world is not whole')
    const { roomId, roomToken } = await chatOn(inProcess(world.server), chat.apiKey).openRoom({
      body: { customerAccount: 'amy' },
    })
    const bare = inProcess(world.server)
    const inRoom = widgetOn(
      (call) => bare({ ...call, headers: { ...call.headers, 'x-chat-room-token': roomToken } }),
      chat.tenantKey,
    )
    const { ticket } = await inRoom.streamTicket({ params: { roomId }, query: {} })
    await setWebhook(world.casino, 'DEMO', { url: 'https://hooks.example/' })
    const { hook } = await enableWebhook(world.casino, 'DEMO')
    const given = {
      [casino.live.apiKey]: 'ek_l_***',
      [casino.sandbox.apiKey]: 'ek_s_***',
      [gateway.production.apiKey]: 'gw_p_***',
      [gateway.production.payoutApiKey]: 'gw_p_***',
      [gateway.sandbox.apiKey]: 'gw_s_***',
      [chat.apiKey]: 'ck_***',
      [chat.freePlanApiKey]: 'ck_***',
      [chat.agentToken]: 'cat_***',
      [roomToken]: 'rt_***',
      [ticket]: 'st_***',
      [hook.secret]: 'whs_***',
    }
    for (const [each, shown] of Object.entries(given)) {
      expect([shown, masked(`It says ${each}, and no more`)]).toEqual([shown, `It says ${shown}, and no more`])
      expect([shown, secretsIn(each).length]).toEqual([shown, 1])
    }
    // The tenant key is public: it is in the pages of every visitor.
    expect(masked(chat.tenantKey)).toBe(chat.tenantKey)
    for (const plain of ['gw_test is true', 'st_pauls', 'rt_1', 'start_at_the_beginning_of_it'])
      expect(masked(plain)).toBe(plain)
  } finally {
    await world.close()
  }
})

test('a registered secret is masked in all output, also inside values', () => {
  hide(['correct horse', 'abc'])
  expect(maskedValue({ a: ['the correct horse', 1], b: null, c: true })).toEqual({
    a: ['the ***', 1],
    b: null,
    c: true,
  })
  expect(masked('abc stays: it is too short to be one')).toBe('abc stays: it is too short to be one')
})
