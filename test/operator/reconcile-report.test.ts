import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { daysAround } from '../../src/operator/bets/slips-by-day.ts'
import type { Reconciled } from '../../src/operator/reconcile/daily/reconcile-day.ts'
import { dailyPage } from '../../src/operator/report/daily-page.ts'
import { amountText, bothClocks, longDayText, shortDayText } from '../../src/operator/report/format.ts'
import { html } from '../../src/operator/report/html.ts'
import { shownBars, ticksFor } from '../../src/operator/report/plots.ts'
import { violations } from '../support/browser/axe.ts'
import { isFirefox, pageMs, theBrowser } from '../support/browser/chromium.ts'
import { aCountRoom, type CountRoom, inBets, inSummary } from './reconcile-support.ts'

const hostile = '<img src=x onerror="document.title=\'owned\'">\'"&amp;\u202e'

/**
 * Five days of play in Berlin over the change of clocks, one of them with changed records, and a summary with names
 * that contain markup.
 */
async function aRoom(): Promise<CountRoom> {
  const room = await aCountRoom({ start: '2026-03-27T09:00:00.000Z', timezone: 'Europe/Berlin' })
  await room.fund('amy', 'bob', 'a.player.with.a.very.long.name_1')
  for (const date of ['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30']) {
    room.goTo(`${date}T09:00:00.000Z`)
    await room.bet({ amy: '100', bob: '40.25', 'a.player.with.a.very.long.name_1': '1234.5678' })
    await room.deal({ cardInfo: '9H2SKD3C----', slips: [{ username: 'bob', bets: { P: '2500' } }] })
  }
  room.goTo('2026-03-31T09:00:00.000Z')
  let n = 0
  room.tamperWith(
    inBets((items) =>
      items.flatMap((item) => {
        if (!item.settledAt.startsWith('2026-03-29')) return [item]
        n += 1
        if (n === 1) return [{ ...item, winLoss: '7' }]
        return n === 2 ? [] : [item]
      }),
    ),
  )
  await room.sync()
  room.tamperWith(
    inSummary((players) => [...players, ...players.slice(0, 1).map((player) => ({ ...player, username: hostile }))]),
  )
  return room
}

async function aPage(room: CountRoom, ...dates: string[]): Promise<string> {
  const days: Reconciled[] = []
  for (const date of dates) days.push(await room.reconcile(date))
  const range = { day: dates[0] ?? '', lastDay: dates.at(-1) ?? '', zone: 'Europe/Berlin' }
  const around = await room.book.store.read((reader) => daysAround(reader, range))
  return dailyPage({ days, around, madeAt: room.now(), madeBy: 'countroom 0.0.0' })
}

describe('in a browser', () => {
  /** The opened page, with its requests and errors. */
  async function opened(
    page: string,
    options: { width?: number; scheme?: 'light' | 'dark'; isPassive?: boolean } = {},
  ) {
    // Playwright evaluates text in a page of Firefox, which the policy of the report forbids.
    const body =
      isFirefox && !options.isPassive ? page.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '') : page
    const view = await (await theBrowser()).newPage({
      viewport: { width: options.width ?? 1100, height: 800 },
      colorScheme: options.scheme ?? 'light',
    })
    onTestFinished(() => view.close())
    view.setDefaultTimeout(pageMs)
    const requests: string[] = []
    const complaints: string[] = []
    await view.route('**', (route) => {
      requests.push(route.request().url())
      return route.request().url() === 'https://report.test/'
        ? route.fulfill({ body, contentType: 'text/html' })
        : route.abort()
    })
    view.on('console', (message) => complaints.push(message.text()))
    view.on('pageerror', (error) => complaints.push(error.message))
    await view.goto('https://report.test/')
    return { view, requests, complaints }
  }

  test('it shows the verdict, the differences and the slips, sends no request, and runs no name', async () => {
    const room = await aRoom()
    const { view, requests, complaints } = await opened(await aPage(room, '2026-03-29'))
    expect(await view.locator('.verdict h2').textContent()).toBe('Differences')
    expect(await view.locator('.under').first().textContent()).toContain('Europe/Berlin · 23 hours')
    const rows = await view.locator('table.grouped tbody tr').allTextContents()
    expect(rows.find((row) => row.startsWith('amy'))).toMatch(/^amy USD\s*Payout\s*0[.]00\s*107[.]00\s*−107[.]00/)
    expect(await view.locator('table.stack tbody tr').first().textContent()).toMatch(/missing in the book/)
    // The name is there, letter by letter, with the invisible one spelled; it is no element and ran no script.
    expect(await view.locator('bdi', { hasText: '<img src=x' }).first().textContent()).toBe(
      hostile.replace('\u202e', '\\u202e'),
    )
    expect([await view.locator('img').count(), await view.title()]).toEqual([
      0,
      expect.stringMatching(/^Reconciliation of ACME/),
    ])
    expect([requests, complaints]).toEqual([['https://report.test/'], []])
  })

  test('findings are summed by kind and folded, and each slip is listed once, in order of date', async () => {
    const room = await aRoom()
    const { view } = await opened(await aPage(room, '2026-03-29'))
    const slips = view.locator('section', { has: view.getByRole('heading', { name: 'Affected slips' }) })
    expect(await slips.locator('details[open]').count()).toBe(0)
    const ids = await slips.locator('table.stack .slip .id').allTextContents()
    expect(ids.length).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(ids.length)
    for (const list of await slips.locator('details').all()) {
      const dates = await list.locator('.details > .soft:first-child').allTextContents()
      expect(dates).toEqual(dates.toSorted())
    }
    const sums = await slips.locator('table').first().locator('tbody tr').allTextContents()
    expect(sums.length).toBeGreaterThan(1)
    expect(sums[0]).toMatch(/^missing in the bookUSD\d+[+−][0-9.,]+[+−][0-9.,]+$/)
  })

  test('amounts of a column have one scale, their points are below each other, and minus signs are true', async () => {
    const room = await aRoom()
    const { view } = await opened(await aPage(room, '2026-03-29'))
    await view.emulateMedia({ media: 'print' })
    // The right edges of the points of each column of amounts.
    const points = await view.evaluate<Record<string, number[]>>(`(() => {
      const columns = {}
      document.querySelectorAll('table').forEach((table, t) => table.querySelectorAll('tbody tr').forEach((row) => [...row.children].forEach((cell, c) => {
        const text = cell.firstChild
        if (!cell.classList.contains('units') || text?.nodeType !== 3 || !text.data.includes('.')) return
        const range = document.createRange()
        range.setStart(text, text.data.indexOf('.'))
        range.setEnd(text, text.data.indexOf('.') + 1)
        ;(columns[t + ' ' + c] ??= []).push(Math.round(range.getBoundingClientRect().right))
      })))
      return columns
    })()`)
    expect(Object.keys(points).length).toBeGreaterThan(4)
    for (const [column, edges] of Object.entries(points))
      expect([column, new Set(edges)]).toEqual([column, new Set(edges.slice(0, 1))])
    const cells = await view.locator('td.units').allTextContents()
    expect(cells.filter((text) => text.includes('-'))).toEqual([])
    expect(cells.some((text) => text.includes('−'))).toBe(true)
  })

  test('it is accessible, and names the house next to the players, its sources and who signs', async () => {
    const room = await aRoom()
    const { view } = await opened(await aPage(room, '2026-03-28', '2026-03-29'))
    expect(await violations(view)).toEqual([])
    expect(await view.getByRole('columnheader', { name: 'GGR (house)' }).first().isVisible()).toBe(true)
    expect(await view.getByRole('rowheader', { name: 'GGR (house)' }).first().isVisible()).toBe(true)
    expect(await view.getByRole('contentinfo').textContent()).toMatch(/^Report [0-9A-F]{16}[.] Compared at 2026-03-31 /)
    expect(await view.getByRole('heading', { name: 'Signatures' }).isVisible()).toBe(true)
  })

  test('its policy stops a script and a request, should one get in after all', async () => {
    const room = await aRoom()
    const page = (await aPage(room, '2026-03-29')).replace(
      '</body>',
      '<script>document.title = "owned"</script><img src="https://elsewhere.test/x.png"><p style="color: red">x</p></body>',
    )
    const { view, requests, complaints } = await opened(page, { isPassive: true })
    expect([await view.title(), requests]).toEqual([expect.not.stringContaining('owned'), ['https://report.test/']])
    expect(complaints).toHaveLength(3)
  })

  test('the plots have a bar for each day and player, each with its figure in a tooltip and in a table', async () => {
    const room = await aRoom()
    const { view } = await opened(await aPage(room, '2026-03-29'))
    const plots = view.locator('.on-wide svg[role=img]')
    expect(await plots.count()).toBe(3)
    const days = plots.nth(0)
    expect(await days.locator('.won, .lost').count()).toBe(30)
    expect(await days.locator('.band').count()).toBe(1)
    expect(await days.locator('title').allTextContents()).toContain('Sat, 28 Mar 2026: won 1,125.1822 USD, 4 slips')
    expect(await plots.nth(1).locator('title').allTextContents()).toContain(
      'amy won 7 USD by the book, lost 100 USD by the platform',
    )
    const tall = await days
      .locator('.won')
      .evaluateAll((bars) => bars.filter((bar) => Number(bar.getAttribute('height')) > 0).length)
    expect(tall).toBe(4)
    await view.locator('figure summary').first().click()
    expect(await view.locator('figure details[open] tbody tr').count()).toBe(4)
    expect(await view.locator('figure details[open] caption').textContent()).toBe('26 days without slips: not listed.')
    // Players and house are next to each other, with the other sign.
    expect(await view.locator('figure details[open] tbody tr', { hasText: '2026-03-28' }).textContent()).toMatch(
      /1,125[.]1822−1,125[.]1822$/,
    )
  })

  test.each([
    [1100, 'light'],
    [1100, 'dark'],
    [360, 'light'],
    [360, 'dark'],
  ] as const)(
    'at %i pixels in the %s nothing is wider than the screen, and all text has enough contrast',
    async (width, scheme) => {
      const room = await aRoom()
      const { view } = await opened(await aPage(room, '2026-03-28', '2026-03-29', '2026-03-31'), { width, scheme })
      expect(await view.evaluate('document.documentElement.scrollWidth')).toBe(width)
      expect(
        await view
          .locator(width < 640 ? '.on-narrow' : '.on-wide')
          .first()
          .isVisible(),
      ).toBe(true)
      expect(
        await view
          .locator(width < 640 ? '.on-wide' : '.on-narrow')
          .first()
          .isVisible(),
      ).toBe(false)
      expect(await faintTexts(view)).toEqual([])
    },
  )

  test('on paper it is light and complete: the tables behind the plots are printed', async () => {
    const room = await aRoom()
    const { view } = await opened(await aPage(room, '2026-03-29'), { scheme: 'dark' })
    await view.emulateMedia({ media: 'print' })
    expect(await view.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
    expect(await view.locator('details .wide').first().isVisible()).toBe(true)
    expect(await view.locator('style').textContent()).toContain(
      '@top-left { content: "Daily reconciliation · ACME · live · Sunday, 29 March 2026"',
    )
    const pdf = await view.pdf({ format: 'A4' })
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  })
})

/** The texts whose contrast with their background is below 4.5 to 1 (WCAG 2, AA). */
async function faintTexts(view: Page): Promise<string[]> {
  return view.evaluate(`(() => {
    const channels = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number)
    const light = ([r, g, b]) => [r, g, b].map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0)
    const behind = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const [r, g, b, a = 1] = channels(getComputedStyle(at).backgroundColor)
        if (a > 0) return [r, g, b]
      }
      return [255, 255, 255]
    }
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility() && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
      .filter((element) => !['TITLE', 'STYLE', 'title'].includes(element.tagName))
      .flatMap((element) => {
        const style = getComputedStyle(element)
        const [front, back] = [light(channels(element instanceof SVGElement ? style.fill : style.color)), light(behind(element))]
        const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05)
        return ratio < 4.5 ? [element.tagName + '.' + element.getAttribute('class') + ' ' + ratio.toFixed(2) + ' ' + element.textContent.slice(0, 40)] : []
      })
  })()`)
}

describe('as text', () => {
  test('references no other file, and its policy allows its one style', async () => {
    const room = await aRoom()
    const page = await aPage(room, '2026-03-29')
    expect(page).not.toMatch(/<script|<link|<iframe|javascript:|https?:|@import|url\(|\son\w+=(?!&)[^&]*>/)
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(page) ?? []
    expect(page).toContain(
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`.replaceAll("'", '&#39;'),
    )
    expect(page.match(/ style="/g)).toBeNull()
  })

  test('is byte-identical for the same day', async () => {
    const room = await aRoom()
    expect(await aPage(room, '2026-03-29')).toBe(await aPage(room, '2026-03-29'))
  })

  test('of a range each day has a line, and those that do not balance a section of their own', async () => {
    const room = await aRoom()
    room.tamperWith(undefined)
    const page = await aPage(room, '2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31')
    expect(page.match(/<section id="day-/g)).toHaveLength(2)
    expect(page).toContain('href="#day-2026-03-29"')
    expect(page).toContain('5 days: 3 balanced, 1 with differences, 1 inconclusive.')
  })

  test('of a day without any comparison is still complete', async () => {
    const room = await aCountRoom({ start: '2026-03-27T09:00:00.000Z', timezone: 'Europe/Berlin' })
    const page = await aPage(room, '2026-03-26')
    expect(page).toContain('The book has no slips around this day.')
    expect(page).toContain('The book is empty')
  })
})

describe('parts', () => {
  test('a template shows values as text, and only the output of a template as markup', () => {
    expect(
      html`<p title="${'"><script>'}">${'a & b'}${html`<b>${1}</b>`}${[html`<i>x</i>`, 'y']}${null}${false}</p>`.text,
    ).toBe('<p title="&quot;&gt;&lt;script&gt;">a &amp; b<b>1</b><i>x</i>y</p>')
    expect(html`${'a\u0000b\u202ec\u200bd'}`.text).toBe('a\\u0000b\\u202ec\\u200bd')
  })

  test('ticks are round, enclose all values and include zero', () => {
    for (const [least, greatest] of [
      [-3.7, 12],
      [0, 0],
      [5, 9],
      [-1e12, 3],
      [-0.0004, -0.0001],
      [-7, 1e-9],
    ] as const) {
      const ticks = ticksFor(least, greatest)
      expect([ticks.includes(0), (ticks[0] ?? 0) <= least, (ticks.at(-1) ?? 0) >= greatest]).toEqual([true, true, true])
      expect(ticks.length).toBeLessThanOrEqual(8)
    }
  })

  test('of many players those with the largest wins and losses are shown, and those with differences', () => {
    const bars = Array.from({ length: 100 }, (_, i) => ({
      username: `p${String(i).padStart(2, '0')}`,
      book: BigInt(i - 50),
      platform: null,
      differs: i === 52,
    }))
    const shown = shownBars(bars).map(({ username }) => username)
    expect([shown.length, shown[0], shown.at(-1), shown.includes('p52'), shown.includes('p53')]).toEqual([
      21,
      'p99',
      'p00',
      true,
      false,
    ])
  })

  test('amounts and days are formatted for people without a lost digit', () => {
    expect(['-1234567.8901', '999', '1000', '0.0001', '=1+1', '-0'].map(amountText)).toEqual([
      '−1,234,567.8901',
      '999',
      '1,000',
      '0.0001',
      '=1+1',
      '−0',
    ])
    expect([longDayText('2026-03-29'), shortDayText('2026-01-01')]).toEqual(['Sunday, 29 March 2026', '1 Jan'])
    expect(bothClocks('2026-03-28T23:00:00.000Z', 'Europe/Berlin')).toMatch(
      /^2026-03-28T23:00:00.000Z \(29 Mar 2026, 00:00:00 GMT\+1\)$/,
    )
  })
})
