import { expect, test } from 'vitest'
import { readOfficeHours } from '../../../../src/domain/time/office-hours.ts'
import { setAgent } from '../../../../src/services/chat/admin/agent-settings.ts'
import { setLook } from '../../../../src/services/chat/admin/look.ts'
import { violations } from '../../../support/browser/axe.ts'
import { aSite } from '../browser.ts'
import { aHelpdesk, aMerchant, refuses, widgetClient } from '../helpdesk.ts'

/** Opening hours, email address, rating, transcript, options, the agent's face, and texts per language. */

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const officeHours = (text: string, zone: string) => {
  const read = readOfficeHours(text, zone)
  if ('fault' in read) throw new Error(read.fault)
  return read
}

test('a conversation outside office hours: hours, email address, face, title, rating, transcript, sound', async () => {
  const { open, merchant, helpdesk } = await aSite()
  // The helpdesk's clock shows Sunday, 1 March 2026, 08:00 UTC.
  await setLook(helpdesk.app, merchant.code, { hours: officeHours('Mon-Fri 09:00-18:00', 'UTC'), replyMinutes: 5 })
  await setAgent(helpdesk.app, merchant.code, merchant.agentId, { displayName: 'Amy <b>', face: png })
  await setLook(helpdesk.app, merchant.code, { translation: { language: 'es', greeting: 'Hola' } })
  const page = await open(
    {},
    {
      meddle: (tab) =>
        tab.addInitScript(
          'window.tones = 0; const start = OscillatorNode.prototype.start; OscillatorNode.prototype.start = function (...all) { window.tones++; return start.apply(this, all) }',
        ),
    },
  )
  const launcher = page.getByRole('button', { name: 'Chat', exact: true })
  const icons = () =>
    launcher.locator('svg').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width > 0))
  expect(await icons()).toEqual([true, false])
  await launcher.click()
  expect(await icons()).toEqual([false, true])
  await page.getByText(/^We are closed. We open again: Monday .*0?9:00/).waitFor()
  const email = page.getByRole('textbox', { name: 'Email address' })
  await email.waitFor()
  expect(await violations(page)).toEqual([])
  await email.fill('x@y, amy@shop.example')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Enter a valid email address.').waitFor()
  expect(await email.getAttribute('aria-invalid')).toBe('true')
  await email.fill('amy@shop.example')
  await page.keyboard.press('Enter')
  await page.getByText('We will reply to amy@shop.example').waitFor()
  const box = page.getByRole('textbox', { name: 'Write a message' })
  await box.fill('Where is my deposit?')
  await box.press('Enter')
  await page.locator('.m small').getByText('Delivered').waitFor()
  const room = async () => (await merchant.agent.rooms({ query: {} })).items[0]
  const params = { roomId: (await room())?.roomId ?? '' }
  expect(await room()).toMatchObject({ customerEmail: 'amy@shop.example', rating: null, rateable: false })

  // Sound is off until the customer turns it on, and only another's message makes one.
  const tones = () => page.evaluate('window.tones')
  const say = (text: string) =>
    merchant.agent.reply({ params, body: { text, clientMessageId: text.replaceAll(' ', '-') } })
  await say('We look into it')
  await page.getByText('We look into it').waitFor()
  expect(await tones()).toBe(0)
  await page.getByRole('heading', { name: 'Amy <b>' }).locator('img').waitFor()
  expect(
    await page.evaluate(
      `(img => img.decode().then(() => img.naturalWidth))(document.querySelector('html > div').shadowRoot.querySelector('h2 img'))`,
    ),
  ).toBe(1)
  await page.getByRole('button', { name: 'More options' }).click()
  expect(await violations(page)).toEqual([])
  await page.getByRole('checkbox', { name: 'Sound for new messages' }).check()
  expect(await tones()).toBe(2)
  await page.getByRole('button', { name: 'Send the conversation by email' }).click()
  const to = page.getByRole('textbox', { name: 'Email address' }).first()
  expect(await to.inputValue()).toBe('amy@shop.example')
  await to.press('Enter')
  await page.getByText('The conversation was sent to amy@shop.example').waitFor()
  expect(helpdesk.mails).toMatchObject([
    { recipient: 'amy@shop.example', subject: `Your conversation with ${merchant.code}` },
  ])
  expect(helpdesk.mails[0]?.body).toMatch(/Where is my deposit\?[\s\S]*Amy <b>\n {4}We look into it/)
  await page.getByRole('button', { name: 'More options' }).click()

  // The title counts while the conversation is closed.
  await page.keyboard.press('Escape')
  await page.evaluate("document.title = 'Shop, page 2'")
  await say('Found it')
  await expect.poll(() => page.title()).toBe('(1) Shop, page 2')
  await expect.poll(tones).toBe(4)
  await launcher.or(page.getByRole('button', { name: 'Chat 1 unread' })).click()
  await expect.poll(() => page.title()).toBe('Shop, page 2')

  await merchant.agent.close({ params })
  const stars = page.getByRole('radio')
  await stars.first().waitFor()
  expect(await violations(page)).toEqual([])
  const rung = await tones()
  await stars.first().focus()
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight')
  await page.getByRole('textbox', { name: 'Comment (optional)' }).fill('Quick <script>')
  await page.locator('.q .b').last().click()
  await page.getByText('Thank you for your rating.').waitFor()
  await page.getByText('Your rating: 4/5').waitFor()
  // The customer's own rating is no new message.
  expect(await tones()).toBe(rung)
  expect(await violations(page)).toEqual([])
  expect((await room())?.rating).toMatchObject({ score: 4, comment: 'Quick <script>' })
  const { items } = await merchant.agent.messages({ params, query: {} })
  expect(items.at(-1)).toMatchObject({ eventKind: 'roomRated', text: 'Rating: 4 of 5\nQuick <script>' })
  await page.close()
  // On the next page nothing asks again, and Spanish has its own greeting.
  const again = await open({}, { html: 'es' })
  await again.evaluate('ChatWidget.open()')
  await again.getByText('Su valoración: 4/5').waitFor()
  expect(await again.getByRole('radio').count()).toBe(0)
  expect(helpdesk.failures).toEqual([])
})

test('a conversation is rated once after it ended, and its transcript goes to one address, once per id', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const room = await widgetClient(helpdesk, merchant.tenantKey).openRoom({ query: {}, body: {} })
  const params = { roomId: room.roomId }
  const customer = widgetClient(helpdesk, merchant.tenantKey, room.roomToken)
  const rate = (body: { score: number; comment?: string }) => customer.rate({ params, query: {}, body })
  const mail = (email: string, clientTranscriptId: string) =>
    customer.mailTranscript({ params, query: {}, body: { email, clientTranscriptId } })
  await customer.send({ params, query: {}, body: { text: 'Hi', clientMessageId: 'a' } })
  await refuses('NOT_RATEABLE', rate({ score: 5 }))
  // Without a reply, the customer's own words would go to any address in the merchant's name.
  await refuses('NOTHING_TO_SEND', mail('amy@shop.example', 'a'))
  await merchant.agent.reply({ params, body: { text: 'Hello', clientMessageId: 'b' } })
  await merchant.agent.close({ params })
  helpdesk.clock.now += 3_600_000
  for (const score of [0, 6, 1.5]) await refuses('INVALID_PARAMETER', rate({ score }))
  await refuses('INVALID_PARAMETER', rate({ score: 5, comment: 'x'.repeat(1_001) }))
  helpdesk.clock.now += 3_600_000
  expect(await rate({ score: 2 })).toMatchObject({ rating: { score: 2, comment: null } })
  expect(await rate({ score: 2 })).toMatchObject({ rating: { score: 2 } })
  await refuses('ALREADY_RATED', rate({ score: 5 }))
  helpdesk.clock.now += 3_600_000
  await customer.send({ params, query: {}, body: { text: 'Again', clientMessageId: 'c' } })
  await refuses('NOT_RATEABLE', rate({ score: 2 }))
  await merchant.agent.close({ params })
  expect(await rate({ score: 5, comment: ' Better\r\nnow ' })).toMatchObject({ rating: { comment: 'Better\nnow' } })
  expect((await merchant.agent.room({ params })).rating).toMatchObject({ score: 5 })

  helpdesk.clock.now += 3_600_000
  for (const email of ['', 'a@b', 'a@b.c,d@e.f', 'x,y@shop.example', 'a b@c.de', 'a@b.c\nBcc: d@e.f', '<a@b.cd>'])
    await refuses('INVALID_PARAMETER', mail(email, 'x'))
  helpdesk.clock.now += 3 * 3_600_000
  await mail('amy@shop.example', 'once')
  await mail('amy@shop.example', 'once')
  await refuses('IDEMPOTENCY_KEY_REUSED', mail('eve@shop.example', 'once'))
  expect(helpdesk.mails).toHaveLength(1)
  expect(helpdesk.mails[0]?.body).toMatch(
    / UTC {2}You\n {4}Your rating: 2\/5\n[\s\S]*Your rating: 5\/5\n {4}Better\n {4}now\n/,
  )

  const limited = await aHelpdesk({ rateLimits: true })
  const shop = await aMerchant(limited)
  const opened = await widgetClient(limited, shop.tenantKey).openRoom({ query: {}, body: {} })
  const again = () =>
    widgetClient(limited, shop.tenantKey, opened.roomToken).mailTranscript({
      params: { roomId: opened.roomId },
      query: {},
      body: { email: 'amy@shop.example', clientTranscriptId: 'x' },
    })
  for (let i = 0; i < 3; i++) await refuses('NOTHING_TO_SEND', again())
  await refuses('RATE_LIMITED', again())
})

test('the settings are those of the language, and the hours those of the world’s clock', async () => {
  const helpdesk = await aHelpdesk()
  const { code, tenantKey, agentId } = await aMerchant(helpdesk)
  const menus = { default: [{ label: 'Help' }] }
  const own = { greeting: 'Hola', menus: { default: [{ label: 'Ayuda' }] } }
  await setLook(helpdesk.app, code, {
    greeting: 'Hello',
    launcherLabel: 'Ask',
    menus,
    hours: officeHours('Sun 09:00-10:00', 'UTC'),
  })
  await setLook(helpdesk.app, code, { translation: { language: 'es', ...own } })
  const config = (language: string) => widgetClient(helpdesk, tenantKey).config({ query: { language } })
  expect(await config('es-MX')).toMatchObject({
    greeting: 'Hola',
    launcherLabel: 'Ask',
    menu: own.menus.default,
    launcher: { chat: 'Chat', away: 'Desconectado' },
    hours: { isOpen: false, changesAt: '2026-03-01T09:00:00.000Z' },
    faces: {},
  })
  expect(await config('xx')).toMatchObject({ greeting: 'Hello', menu: menus.default })
  helpdesk.clock.now += 3_600_000
  expect((await config('fr')).hours).toEqual({ isOpen: true, changesAt: '2026-03-01T10:00:00.000Z' })
  await setLook(helpdesk.app, code, { translation: { language: 'es', greeting: null, menus: { default: [] } } })
  expect(await config('es')).toMatchObject({ greeting: 'Hello', menu: menus.default })

  await setAgent(helpdesk.app, code, agentId, { face: png })
  const path = (await config('en')).faces[agentId] ?? ''
  const picture = await helpdesk.server.inject({ method: 'GET', path, headers: {} })
  expect([picture.status, picture.headers['content-type'], picture.headers['x-content-type-options']]).toEqual([
    200,
    'image/png',
    'nosniff',
  ])
  expect((await helpdesk.server.inject({ method: 'GET', path: `${path}x`, headers: {} })).status).toBe(404)
  for (const face of [Buffer.from('<svg onload=alert(1)>'), Buffer.concat([png, Buffer.alloc(102_400)])])
    await expect(setAgent(helpdesk.app, code, agentId, { face })).rejects.toThrow('picture')
  await expect(setAgent(helpdesk.app, code, 'agt_none', { face: null })).rejects.toThrow('no agent')
  await setAgent(helpdesk.app, code, agentId, { face: null })
  expect((await config('en')).faces).toEqual({})
})
