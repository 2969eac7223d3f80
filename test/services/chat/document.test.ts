import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openApiOf } from '../../../src/http/docs/openapi.ts'
import { generalForm } from '../../../src/services/chat/admin.ts'
import { widget } from '../../../src/services/chat/api/contract.ts'
import { pageMs, theBrowser } from '../../support/browser/chromium.ts'
import { aSite } from './browser.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8')
const text = read('docs/chat.md')
const browserFolder = 'src/services/chat/widget/browser'
const scripts = readdirSync(join(import.meta.dirname, '../../..', browserFolder), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => read(`${browserFolder}/${name}`))
  .join('\n')

/** Matches of a pattern in a text, each once, in alphabetical order. */
const matchesOf = (source: string, pattern: RegExp) => [
  ...new Set([...source.matchAll(pattern)].flatMap((hit) => hit.slice(1))),
]
const sorted = (names: readonly string[]) => [...names].sort()

test('the attributes shown are those that the widget reads, and no others', () => {
  const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const shown = matchesOf(text, /`data-([a-z-]+)`/g).map(camel)
  const used = matchesOf(scripts, /\bdata\['(\w+)'\]/g)
  expect(sorted(shown)).toEqual(sorted(used))
})

test("the statuses shown are those of every merchant's first form", () => {
  const [, table = ''] = text.split("## A ticket's life")
  expect([...table.matchAll(/^\| `(\w+)` \| (\w+) \|$/gm)].map(([, code, category]) => [code, category])).toEqual(
    generalForm.workflow.statuses.map(({ code, category }) => [code, category]),
  )
  expect(generalForm.workflow.transitions).toBeNull()
})

test('the reference names the room token for every operation but four, and describes files as bytes', () => {
  interface Operation {
    readonly security: readonly Record<string, unknown>[]
    readonly parameters: readonly { readonly name: string; readonly required: boolean }[]
    readonly responses: Readonly<Record<string, { readonly headers?: object; readonly content?: object }>>
  }
  const { paths } = openApiOf(widget) as { paths: Record<string, Record<string, Operation>> }
  const open = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { security }]) => {
      const isOpen = security.every((names) => !('RoomToken' in names) && !('StreamTicket' in names))
      return isOpen ? [`${method.toUpperCase()} ${path.replace('/api/widget/v1', '')}`] : []
    }),
  )
  expect(sorted(open)).toEqual(['GET /config', 'GET /media/{mediaId}', 'POST /identity', 'POST /rooms'])
  const at = (path: string, method: string) => paths[`/api/widget/v1${path}`]?.[method]
  expect(at('/rooms', 'post')?.parameters).toContainEqual(
    expect.objectContaining({ name: 'X-Chat-Room-Token', required: false }),
  )
  const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  const file = at('/media/{mediaId}', 'get')?.responses
  expect([file?.['200']?.content, file?.['206']?.content]).toEqual([bytes, bytes])
  expect(Object.keys(file?.['206']?.headers ?? {})).toContain('Content-Range')
  const chunk = at('/rooms/{roomId}/media/{uploadId}/chunk', 'put')?.responses['200']
  expect(Object.keys(chunk?.headers ?? {})).toEqual(['Upload-Offset'])
})

test('the page shown in the guide works unchanged, also opened from a file, with every function shown', async () => {
  const site = await aSite()
  const [, page = ''] = /^```html page\.html\n([\s\S]*?)^```$/m.exec(read('docs/tickets-and-chat.md')) ?? []
  const html = page.replace('http://127.0.0.1:8787', site.chatUrl).replace('wk_…', site.merchant.tenantKey)
  expect(html).not.toBe(page)
  const file = join(mkdtempSync(join(tmpdir(), 'countroom-page-')), 'page.html')
  writeFileSync(file, html)
  const shop = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html))
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const context = await (await theBrowser()).newContext()
  context.setDefaultTimeout(pageMs)
  onTestFinished(async () => {
    await context.close()
    shop.closeAllConnections()
    shop.close()
    rmSync(dirname(file), { recursive: true })
  })
  const tab = await context.newPage()
  for (const [n, address] of [
    `http://localhost:${(shop.address() as AddressInfo).port}/`,
    `file://${file}`,
  ].entries()) {
    await tab.goto(address)
    await tab.getByRole('button', { name: 'Chat' }).click()
    await tab.getByRole('textbox').fill('Hello')
    await tab.getByRole('textbox').press('Enter')
    await tab.locator('.m small').last().getByText(/\d/).waitFor()
    const { items } = await site.merchant.agent.rooms({ query: {} })
    expect(items.map(({ customerDisplayName }) => customerDisplayName)).toEqual(Array(n + 1).fill('Amy'))
  }
  const functions = await tab.evaluate('Object.keys(ChatWidget)')
  // Up to the next heading: the table of functions, with their names in the first column.
  const [, table = ''] = /### `window\.ChatWidget`\n([\s\S]*?)\n### /.exec(text) ?? []
  const named = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) => matchesOf(cell, /(\w+)\(/g))
  expect(sorted([...new Set(named)])).toEqual(sorted(functions as string[]))
})
