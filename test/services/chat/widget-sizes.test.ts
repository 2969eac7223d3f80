import { expect, test } from 'vitest'
import { setLook } from '../../../src/services/chat/admin/look.ts'
import { addSocialChannel } from '../../../src/services/chat/admin.ts'
import { violations } from '../../support/browser/axe.ts'
import { aSite } from './browser.ts'

test.each([
  ['a desktop', 1440, 900, false],
  ['a dark desktop', 1440, 900, true],
  ['a phone', 390, 844, false],
  ['a dark phone', 390, 844, true],
  ['a phone in landscape', 844, 390, false],
  ['a dark phone in landscape', 844, 390, true],
])('on %s the panel is in view, and axe finds nothing in any of its states', async (_, width, height, dark) => {
  const { open, helpdesk, merchant } = await aSite()
  const line = { kind: 'line', label: 'LINE', url: 'https://line.me/shop' } as const
  await addSocialChannel(helpdesk.app, merchant.code, line)
  await setLook(helpdesk.app, merchant.code, {
    greeting: 'How can we help?',
    menus: { default: [{ label: 'My deposit' }] },
  })
  const page = await open({ 'data-primary-color': 'orange' }, { width, height, dark })
  await page.evaluate('ChatWidget.open()')
  await page.getByText('How can we help?').waitFor()
  // The panel moves up by some pixels while it opens.
  await expect
    .poll(async () => {
      const {
        x,
        y,
        width: wide,
        height: high,
      } = (await page.getByRole('dialog').boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 }
      return x >= 0 && y >= 0 && wide > 300 && x + wide <= width && y + high <= height
    })
    .toBe(true)
  // Firefox sizes a field by its columns, not by its content: it must not squeeze the button.
  const send = page.getByRole('button', { name: 'Send' })
  expect(await send.evaluate((button) => button.scrollWidth - button.clientWidth)).toBeLessThanOrEqual(0)
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
