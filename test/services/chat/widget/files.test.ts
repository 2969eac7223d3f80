import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violations } from '../../../support/browser/axe.ts'
import { aSite, openConfigured } from '../browser.ts'

/** Files are shown before they are sent, with the reason for each that cannot be, and pictures are shown large. */

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Gives files to an element as a paste or a drop does. */
const give = (
  page: Page,
  selector: string,
  event: 'paste' | 'drop',
  files: readonly { name: string; type: string; text: string }[],
) =>
  page.evaluate(
    `(() => {
      const data = new DataTransfer()
      for (const { name, type, text } of ${JSON.stringify(files)}) data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name, { type }))
      const init = { bubbles: true, cancelable: true, composed: true }
      const target = document.querySelector('html > div').shadowRoot.querySelector('${selector}')
      return !target.dispatchEvent('${event}' === 'paste' ? new ClipboardEvent('paste', { ...init, clipboardData: data }) : new DragEvent('drop', { ...init, dataTransfer: data }))
    })()`,
  )

test('chosen, pasted and dropped files are shown, refused ones with the reason, and the others are sent in order', async () => {
  const site = await aSite()
  const { merchant, helpdesk, chatUrl } = site
  Object.assign(helpdesk.app.config, { publicUrl: () => chatUrl })
  // The limits of files are settings.
  const page = await openConfigured(site)
  await page.evaluate('ChatWidget.open()')
  const box = page.getByRole('textbox')
  await box.waitFor()
  const hostile = '<img src=x onerror=alert(1)>\u202egnp.exe'
  await page.locator('input[type=file]').setInputFiles([
    { name: 'proof.png', mimeType: 'image/png', buffer: png },
    { name: hostile, mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') },
    { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
  ])
  const tray = page.locator('.u figure')
  await expect.poll(() => tray.count()).toBe(3)
  // Drawn without an address, which the page's policy would forbid.
  await tray.first().locator('canvas').waitFor()
  expect(await tray.locator('span').allTextContents()).toEqual([
    expect.stringMatching(/^0\.1\skB$/),
    'This type of file is not allowed',
    'The file is empty',
  ])
  expect(await page.locator('.u img').count()).toBe(0)
  // The list is wider than the panel: the first refused file is in view.
  const [list, refused] = [await page.locator('.u').boundingBox(), await tray.nth(1).boundingBox()]
  expect(refused?.x).toBeGreaterThanOrEqual((list?.x ?? 0) - 1)
  expect((refused?.x ?? 0) + (refused?.width ?? 0)).toBeLessThanOrEqual((list?.x ?? 0) + (list?.width ?? 0) + 1)
  expect(
    await give(page, '.f textarea', 'paste', [{ name: 'pasted.txt', type: 'text/plain', text: btoa('pasted') }]),
  ).toBe(true)
  expect(
    await give(page, '.g', 'drop', [{ name: 'dropped.png', type: 'image/png', text: png.toString('base64') }]),
  ).toBe(true)
  await expect.poll(() => tray.count()).toBe(5)
  // Without a file, pasted text is left to the browser.
  expect(await give(page, '.f textarea', 'paste', [])).toBe(false)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove empty.txt' }).click()
  await expect.poll(() => tray.count()).toBe(4)
  await give(
    page,
    '.f textarea',
    'paste',
    Array.from({ length: 8 }, (_, i) => ({ name: `${i}.txt`, type: 'text/plain', text: btoa('x') })),
  )
  await page.locator('.u figure').last().getByText('At most 10 files at a time').waitFor()
  for (let i = 0; i < 8; i++) await page.getByRole('button', { name: `Remove ${i}.txt` }).click()
  // Nothing has reached the server so far.
  expect((await merchant.agent.rooms({ query: {} })).total).toBe(0)
  await box.fill('my files')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('link', { name: 'dropped.png' }).waitFor()
  const roomId = (await merchant.agent.rooms({ query: {} })).items[0]?.roomId ?? ''
  const { items } = await merchant.agent.messages({ params: { roomId }, query: {} })
  expect(items.map(({ text, attachments }) => attachments[0]?.fileName ?? text)).toEqual([
    'my files',
    'proof.png',
    'pasted.txt',
    'dropped.png',
  ])
  expect(await tray.count()).toBe(0)

  // The pictures, large: by keyboard, with the focus inside, and back at the link.
  const link = page.getByRole('link', { name: 'proof.png' })
  await link.focus()
  await page.keyboard.press('Enter')
  const dialog = page.locator('dialog')
  await dialog.locator('img').waitFor()
  expect(await violations(page)).toEqual([])
  const name = () => dialog.locator('header span').textContent()
  expect(await name()).toBe('proof.png')
  await page.keyboard.press('ArrowRight')
  expect(await name()).toBe('dropped.png')
  await page.keyboard.press('ArrowRight')
  expect(await name()).toBe('dropped.png')
  for (let i = 0; i < 8; i++) {
    await page.keyboard.press('Tab')
    expect(
      await dialog.evaluate(
        (each) => each.matches(':focus-within') || each.ownerDocument.activeElement?.tagName === 'BODY',
      ),
    ).toBe(true)
  }
  expect(await dialog.getByRole('link').getAttribute('href')).toContain('/media/')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByRole('link', { name: 'dropped.png' }).evaluate((each) => each.matches(':focus'))).toBe(true)
  // Escape closed the picture only.
  expect(await page.getByRole('dialog').count()).toBe(1)
  // The next customer on this browser must not see it.
  await page.keyboard.press('Enter')
  await dialog.locator('img').waitFor()
  await page.evaluate('ChatWidget.reset()')
  await dialog.waitFor({ state: 'detached' })
})
