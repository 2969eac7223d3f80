import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { bigRoad, derivedRoad, nextMarks, roadResult } from '../../../../src/domain/games/roads.ts'
import { setLive } from '../../../../src/services/casino/live/switches.ts'
import { launch } from '../../../../src/services/casino/players/launches.ts'
import { play } from '../../../../src/services/casino/simulator/index.ts'
import { demoCode, ensureDemoWorld } from '../../../../src/world/demo-data.ts'
import { homeRoutes } from '../../../../src/world/home/routes.ts'
import { openWorld, type World } from '../../../../src/world/world.ts'
import { violations } from '../../../support/browser/axe.ts'
import { pageMs, theBrowser } from '../../../support/browser/chromium.ts'
import { demoTenant, liveWorld } from '../live/support.ts'
import { caughtUp } from './caught-up.ts'

/** Rectangles of the player's page: everything needed to bet is visible at once, at every table. */

let world: World
let url: string
beforeAll(async () => {
  world = await openWorld({
    db: ':memory:',
    rateLimits: false,
    records: { requests: false, hasDesk: false, home: homeRoutes },
  })
  await ensureDemoWorld(world)
  const input = {
    tenant: demoCode,
    tables: ['BAC-01', 'DT-01'],
    rounds: 100,
    players: 1,
    days: 0,
    corrected: 0,
    voided: 0,
  }
  for await (const _ of play(world.casino, input));
  url = (await world.server.listen()).url
  await setLive(world.casino, true)
  // No job runs after this, so each table stays as it is.
  await world.settle()
})
afterAll(() => world.close())

const tables = ['BAC-01', 'DT-01', 'DT-02', 'HE-01', 'HE-02', 'HE-03', 'NN-01', 'NN-02']

/** Phones in landscape and portrait, a window of 1280×720 that is zoomed to 200%, and large screens. */
const sizes = [
  { width: 844, height: 390 },
  { width: 667, height: 375 },
  { width: 640, height: 360 },
  { width: 360, height: 640 },
  { width: 320, height: 568 },
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
]

/** Opens the lobby as a player of the demo. */
async function aPlayerPage(username: string, lang: string, device: 'pc' | 'mobile'): Promise<Page> {
  const launched = await fetch(`${url}/try/launch`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ username, lang, device }).toString(),
  })
  const context = await (await theBrowser()).newContext({ viewport: sizes[0] ?? null, reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(pageMs)
  await page.goto(launched.headers.get('location') ?? '')
  await page.waitForSelector('.tile')
  return page
}

/** Returns elements that are cut off, covered or too large for their place. */
const faults = `(() => {
  const found = new Set()
  const rect = (element) => element.getBoundingClientRect()
  const label = (element) => element.className + ' "' + (element.textContent ?? '').trim().slice(0, 20) + '"'
  const isShown = (element) => rect(element).width > 0 && getComputedStyle(element).clipPath === 'none'
  const all = (selector) => [...document.querySelectorAll(selector)].filter(isShown)
  const needed = '.timer, .status, .card, .zone, .pot, .plaque, .dock .chip, .dock .action, .dock input[type=range], .variants button, .top .back, .top .wallet, .top .plain'
  // The plaque of a seat is in front of the backs of its cards.
  for (const element of all(needed).filter((each) => !each.matches('.seat .back'))) {
    const { left, top, right, bottom } = rect(element)
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) {
      found.add('outside: ' + label(element))
      continue
    }
    for (const [x, y] of [[(left + right) / 2, (top + bottom) / 2], [(left + right) / 2, bottom - 3]]) {
      const top = document.elementFromPoint(x, y)
      const isOwn = top && (element.contains(top) || top.contains(element) || element.closest('label')?.contains(top))
      if (!isOwn) found.add('covered: ' + label(element) + ' by ' + (top && label(top)))
    }
  }
  const seated = all('.plaque, .put, .last, .seat .card:not(.back), .pot, .middle .card')
  const felt = rect(document.querySelector('.felt'))
  for (const [i, one] of seated.entries()) {
    if (rect(one).top < felt.top - 1 || rect(one).bottom > felt.bottom + 1) found.add('beyond the felt: ' + label(one))
    for (const other of seated.slice(i + 1)) {
      if (one.closest('.seat') !== null && one.closest('.seat') === other.closest('.seat')) continue
      const [a, b] = [rect(one), rect(other)]
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
        found.add(label(one) + ' over ' + label(other))
    }
  }
  for (const text of all('.zone .name, .zone .odds, .zone .group')) {
    const inner = rect(text)
    const outer = rect(text.closest('.zone'))
    if (inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1 || inner.left < outer.left - 1 || inner.right > outer.right + 1)
      found.add('larger than its zone: ' + label(text))
  }
  for (const button of all('.dock .action, .variants button'))
    if (button.scrollWidth > button.clientWidth + 2 || button.scrollHeight > button.clientHeight + 2) found.add('cut off: ' + label(button))
  // A word of a script with spaces is never split. Thai and Chinese break between words without one.
  for (const button of all('.dock .action, .zone .name'))
    for (const text of [...button.childNodes].filter((node) => node.nodeType === 3))
      for (const { index, 0: word } of text.data.matchAll(/[^\\s\\u0e00-\\u0e7f\\u3000-\\u9fff]+/g)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.add('a split word: ' + label(button))
      }
  for (const element of all('.top > *:not(.title, .space)'))
    if (element.scrollWidth > element.clientWidth + 1) found.add('cut off at the top: ' + label(element))
  if (!isShown(document.querySelector('.top .back'))) found.add('no way back to the lobby')
  if (document.documentElement.scrollWidth > innerWidth) found.add('the page is wider than the screen')
  return [...found]
})()`

/** Width of the first card. */
const cardWidth = `document.querySelector('.card').getBoundingClientRect().width`

test.each([
  { username: 'amy', lang: 'ENG', device: 'mobile' },
  { username: 'bob', lang: 'CHT', device: 'pc' },
  { username: 'cho', lang: 'THAI', device: 'pc' },
  { username: 'dee', lang: 'HIND', device: 'mobile' },
  { username: 'amy', lang: 'PHP', device: 'mobile' },
  { username: 'bob', lang: 'VIET', device: 'mobile' },
] as const)(
  'clock, cards, zones, chips and buttons are visible at once at every table ($lang, $device)',
  async (player) => {
    const page = await aPlayerPage(player.username, player.lang, player.device)
    for (const table of tables) {
      await page.evaluate(`document.querySelector('a[href$="/${table}"]').click()`)
      await page.waitForSelector('main.table .card')
      for (const size of sizes) {
        // A link for phones keeps their layout on large screens, where it scrolls.
        if (player.device === 'mobile' && size.width > 1000) continue
        await page.setViewportSize(size)
        await expect.poll(() => page.evaluate(faults), { message: `${table} ${size.width}×${size.height}` }).toEqual([])
      }
      await page.evaluate(`document.querySelector('.back').click()`)
      await page.waitForSelector('.tile')
    }
  },
)

test.each(['ENG', 'THAI', 'PHP'] as const)(
  'while a hand of no-limit is played, everything at the seats and of the turn is visible at once on a phone (%s)',
  async (lang) => {
    const played = await liveWorld({ records: { requests: false, hasDesk: false } })
    await played.server.listen()
    await setLive(played.casino, true)
    await played.settle()
    const context = await (await theBrowser()).newContext({ viewport: sizes[0] ?? null, reducedMotion: 'reduce' })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(pageMs)
    const link = { username: 'amy', lang, device: 'mobile', table: 'HE-03' } as const
    await page.goto((await launch(played.casino, await demoTenant(played), link)).url)
    await page.click('[data-action="sit"]')
    await page.waitForSelector('.seat[data-me]')
    const looks = new Set<string>()
    for (;;) {
      const { phase } = await caughtUp(played, page, 'HE-03')
      const look = `${phase} ${await page.locator('.middle .card:not(.gap)').count()}`
      if (!looks.has(look)) {
        looks.add(look)
        for (const size of sizes.filter(({ width }) => width < 1000)) {
          await page.setViewportSize(size)
          await expect
            .poll(() => page.evaluate(faults), { message: `${look} ${size.width}×${size.height}` })
            .toEqual([])
        }
      }
      if (phase === 'result') break
      const free = page.locator('.turn:not([hidden]) :is([data-action="check"], [data-action="call"])')
      const turn = page.locator('.seat[data-me][data-turn]')
      if ((await turn.count()) > 0) {
        await free.click()
        await turn.waitFor({ state: 'detached' })
      } else await played.wait(1_200)
    }
    expect([...looks]).toEqual(
      expect.arrayContaining(['betting 0', 'deciding 0', 'deciding 3', 'deciding 5', 'result 5']),
    )
    expect(await page.locator('.seat:not([data-me]) .card:not(.back)').count()).toBeGreaterThan(0)
  },
)

test('the lobby shows two tables in each row of a phone in landscape', async () => {
  const page = await aPlayerPage('amy', 'ENG', 'mobile')
  const inFirstRow = `(() => { const tops = [...document.querySelectorAll('.tile')].map((tile) => tile.getBoundingClientRect().top); return tops.filter((top) => top === tops[0]).length })()`
  for (const size of sizes.slice(0, 3)) {
    await page.setViewportSize(size)
    await expect.poll(() => page.evaluate(inFirstRow)).toBe(2)
  }
})

test('on a large screen the cards use its room', async () => {
  const page = await aPlayerPage('bob', 'ENG', 'pc')
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const [table, least] of [
    ['BAC-01', 100],
    ['DT-01', 150],
    ['HE-01', 60],
    ['NN-01', 50],
  ] as const) {
    await page.evaluate(`document.querySelector('a[href$="/${table}"]').click()`)
    await page.waitForSelector('main.table .card')
    await expect.poll(() => page.evaluate(cardWidth)).toBeGreaterThan(least)
    await page.evaluate(`document.querySelector('.back').click()`)
    await page.waitForSelector('.tile')
  }
})

test.each(['BAC-01', 'DT-01'])(
  'the roads of %s are those of its shoe, and readable on a phone either way',
  async (table) => {
    const game = table === 'BAC-01' ? 'baccarat' : 'dragontiger'
    const page = await aPlayerPage('amy', 'ENG', 'mobile')
    await page.evaluate(`document.querySelector('a[href$="/${table}"]').click()`)
    // Both environments have a table of this name, and both deal while live dealing is on.
    const rounds = await world.store.read(({ q }) =>
      q
        .selectFrom('casino_rounds')
        .select(['code', 'shoe'])
        .where('environment', '=', 'live')
        .where('table_id', '=', table)
        .where('status', '=', 'settled')
        .orderBy('opened_at')
        .orderBy('id')
        .execute(),
    )
    const results = rounds
      .filter(({ shoe }) => shoe === rounds.at(-1)?.shoe)
      .flatMap(({ code }) => roadResult(game, code ?? '') ?? [])
    await page.waitForSelector('[data-road="cockroach"]')
    const marks = (road: string, name: string) =>
      page
        .locator(`figure[data-road="${road}"] .bigroad > span`)
        .evaluateAll(
          (all, key) => all.map((each) => (each as unknown as { dataset: Record<string, string> }).dataset[key]),
          name,
        )
    const big = bigRoad(results)
    const width = Math.max(...big.map(({ column }) => column)) + 1
    const dealt = big.filter(({ column }) => column >= width - 24).map(({ side }) => side)
    await expect.poll(() => marks('big', 'side')).toEqual(dealt)
    expect(results.length).toBeGreaterThan(30)
    for (const road of ['small', 'cockroach'] as const) {
      const shown = await marks(road, 'color')
      expect(shown.length).toBeGreaterThan(10)
      expect(derivedRoad(results, road).slice(-shown.length)).toEqual(shown)
    }
    const first = game === 'baccarat' ? 'Banker' : 'Dragon'
    expect(await page.textContent('.next')).toContain(
      `If ${first} wins: Big eye boy ${nextMarks(results, game === 'baccarat' ? 'banker' : 'dragon').bigEye}`,
    )
    expect(await page.textContent('.counts')).toContain(`Rounds${results.length}`)
    for (const size of [
      { width: 390, height: 844 },
      { width: 844, height: 390 },
    ]) {
      await page.setViewportSize(size)
      const cells = page.locator('.roads .bigroad > span')
      expect(
        await cells.evaluateAll((all) => Math.min(...all.map((each) => each.getBoundingClientRect().width))),
      ).toBeGreaterThan(6)
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
    expect(await violations(page)).toEqual([])
  },
)
