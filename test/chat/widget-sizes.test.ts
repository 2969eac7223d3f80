import { afterAll, expect, test } from 'vitest'
import { addSocialChannel, setLook } from '../../src/chat/console.ts'
import { aSite, closeBrowser, violations } from './browser.ts'

afterAll(closeBrowser)

test.each([
  ['a desktop', 1440, 900, false],
  ['a dark desktop', 1440, 900, true],
  ['a phone', 390, 844, false],
  ['a dark phone', 390, 844, true],
  ['a phone on its side', 844, 390, false],
  ['a dark phone on its side', 844, 390, true],
])('on %s the panel is in view, and axe finds nothing in any of its states', async (_, width, height, dark) => {
  const { open, desk, merchant } = await aSite()
  const line = { kind: 'line', label: 'LINE', url: 'https://line.me/shop' } as const
  await addSocialChannel(desk.app, merchant.code, line)
  await setLook(desk.app, merchant.code, {
    greeting: 'How can we help?',
    menus: { default: [{ label: 'My deposit' }] },
  })
  const page = await open({ 'data-primary-color': 'orange' }, { width, height, dark })
  await page.evaluate('ChatWidget.open()')
  await page.getByText('How can we help?').waitFor()
  const box = await page.getByRole('dialog').boundingBox()
  expect(box?.x).toBeGreaterThanOrEqual(0)
  expect(box?.y).toBeGreaterThanOrEqual(0)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height)
  expect(await violations(page)).toEqual([])
  await page.getByRole('textbox').fill('tall\n'.repeat(40))
  await page.keyboard.press('Enter')
  await page.locator('.m small').getByText(/\d/).waitFor()
  await page.locator('.g').evaluate((log) => {
    log.scrollTop = 0
  })
  const params = { roomId: (await merchant.agent.rooms({ query: {} })).items[0]?.roomId ?? '' }
  await merchant.agent.reply({ params, body: { text: 'Good day', clientMessageId: 'a' } })
  await page.getByRole('button', { name: 'New message' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.evaluate("ChatWidget.identify({ account: 'amy', identity: '1.bad' })")
  await page.getByRole('status').getByText('We could not confirm').waitFor()
  expect(await violations(page)).toEqual([])
})
