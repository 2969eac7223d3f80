import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  adjust,
  changeTenant,
  createLimitProfile,
  createTable,
  createTenant,
  setLimits,
  setTableStatus,
} from '../../../../src/services/casino/admin/index.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { readBets } from '../../../../src/services/casino/bets/read.ts'
import { setLive } from '../../../../src/services/casino/live/switches.ts'
import type { SlipView } from '../../../../src/services/casino/player-page/browser/views.ts'
import { launch } from '../../../../src/services/casino/players/launches.ts'
import { logout, updatePlayer } from '../../../../src/services/casino/players/players.ts'
import { dealExactly } from '../../../../src/services/casino/simulator/index.ts'
import { disableTable, enableTable } from '../../../../src/services/casino/tables/tables.ts'
import { demoCode } from '../../../../src/world/demo-data.ts'
import { violations } from '../../../support/browser/axe.ts'
import { isFirefox, pageMs, theBrowser } from '../../../support/browser/chromium.ts'
import { balanceOf, demoTenant, type LiveWorld, liveWorld } from '../live/support.ts'
import { caughtUp, roundNo } from './caught-up.ts'

interface Order {
  readonly table?: string
  readonly lang?: 'ENG' | 'CHS' | 'THAI'
  readonly device?: string
  /** Tenant of the player: the demo operator, or another tenant. */
  readonly tenant?: string
  /** An open page to use; a new browser otherwise. */
  readonly at?: Page
  /** True for a page whose clock stands still between events, as the world's does, however slow the machine is. */
  readonly isClockStopped?: boolean
}

/** The page's clock, stopped when the page began to arrive: the times in its data are of that moment. */
const stopClock = `{
  const [page] = performance.getEntriesByType('navigation')
  performance.now = () => page.responseStart
}`

/** Reports the messages of the page, which disappear after 4 s. A process that is stopped in between would miss one. */
const reportToasts = `document.addEventListener('toggle', ({ target, newState }) => {
  if (newState === 'open' && target.matches('.toast')) console.debug('toast: ' + target.textContent)
}, true)`
const toasts = new WeakMap<Page, string[]>()
const toastsOf = (page: Page) => toasts.get(page) ?? []

interface Hall extends LiveWorld {
  /** Errors in the browser: violated policies, uncaught errors. */
  open(username: string, input?: Order): Promise<Page>
}

/** A served world whose tables are dealt, and players' browsers. */
async function aHall(): Promise<Hall> {
  const world = await liveWorld()
  await world.server.listen({ port: 0 })
  await setLive(world.casino, true)
  await world.settle()
  const complaints: string[] = []
  onTestFinished(() => expect(complaints).toEqual([]))
  const aPage = async (isMobile: boolean, isClockStopped: boolean) => {
    const context = await (await theBrowser()).newContext({
      viewport: isMobile ? { width: 390, height: 844 } : { width: 1280, height: 800 },
      reducedMotion: 'reduce',
    })
    onTestFinished(() => context.close())
    context.setDefaultTimeout(pageMs)
    if (isClockStopped) await context.addInitScript(stopClock)
    const page = await context.newPage()
    await page.addInitScript(reportToasts)
    const shownToasts: string[] = []
    toasts.set(page, shownToasts)
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      const [, shown] = /^toast: (.*)$/s.exec(message.text()) ?? []
      if (shown !== undefined) shownToasts.push(shown)
      if (/Content Security Policy|TrustedType|TrustedScript/i.test(message.text())) complaints.push(message.text())
    })
    return page
  }
  return Object.assign(world, {
    async open(username: string, { tenant, at, isClockStopped = false, ...input }: Order = {}) {
      const page = at ?? (await aPage(input.device === 'mobile', isClockStopped))
      const { url } = await launch(world.casino, await demoTenant(world, tenant), { username, lang: 'ENG', ...input })
      await page.goto(url)
      await page.waitForSelector(input.table === undefined ? '.tile' : '.table[data-phase]')
      return page
    },
  })
}

/** Polls until the condition is true: pages may be slow on a busy machine. */
const until = <T>(get: () => T | Promise<T>) => expect.poll(get)
const phase = (page: Page, name: string) => page.waitForSelector(`.table[data-phase="${name}"]`)
const lay = async (page: Page, ...zones: string[]) => {
  for (const zone of zones) await page.click(`[data-zone="${zone}"]`)
  await page.click('[data-action="confirm"]')
  for (const zone of zones) await page.waitForSelector(`[data-zone="${zone}"][data-placed="yes"]`)
  expect(await coveredZones(page), 'names that chips lie on').toEqual([])
}

/** The zones whose name is covered by the chips on it. */
const coveredZones = (page: Page): Promise<string[]> =>
  page.locator('.zone:has(.chip)').evaluateAll((zones) =>
    zones
      .filter((zone) => {
        const [name, chip] = ['.name', '.chip'].map((part) => zone.querySelector(part)?.getBoundingClientRect())
        if (!name || !chip) return true
        const isBeside = chip.left >= name.right || chip.right <= name.left
        return !isBeside && chip.top < name.bottom - 1 && chip.bottom > name.top + 1
      })
      .map((zone) => zone.getAttribute('data-zone') ?? ''),
  )
const records = async (world: LiveWorld): Promise<readonly BetRecord[]> =>
  (await readBets(world.casino, await demoTenant(world), { limit: 1000 })).read().items
const money = async (page: Page) => ((await page.textContent('.balance')) ?? '').replace(/,/g, '')
/** Waits for a message that is shown from now on. */
const toast = (page: Page, words: string) => {
  const before = toastsOf(page).length
  return until(() => toastsOf(page).slice(before)).toContainEqual(expect.stringContaining(words))
}
const text = (page: Page, selector: string) => page.textContent(selector)

/** The single record of the round that the page shows, found in the operator's sync. */
async function theSlip(world: LiveWorld, page: Page): Promise<BetRecord> {
  await page.waitForSelector('.my-slips li[data-slip]:not([data-kind="open"])')
  const id = await page.getAttribute('.my-slips li', 'data-slip')
  const record = (await records(world)).find((each) => each.slipId === id)
  if (!record) throw new Error(`GET /bets does not have the slip ${id} of the page`)
  await until(() => money(page)).toBe(`${await balanceOf(world, record.username)} USD`)
  return record
}

describe('bets placed on the page are the bets that the operator syncs', () => {
  test('baccarat, without commission', async () => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'BAC-01' })
    await page.click('[data-variant="nocomm"]')
    await lay(page, 'B', 'B', 'S6', 'PP')
    await until(() => money(page)).toBe('9980 USD')
    await world.wait(20_000)
    await phase(page, 'dealing')
    expect(await page.locator('.spots .card:not(.gap)').count()).toBeGreaterThanOrEqual(4)
    await world.wait(6_000)
    await phase(page, 'result')
    const record = await theSlip(world, page)
    expect(record).toMatchObject({ username: 'amy', tableId: 'BAC-01', variant: 'nocomm', stake: '20' })
    expect(record.bets.map((leg) => [leg.zone, leg.amount])).toEqual([
      ['B', '10'],
      ['S6', '5'],
      ['PP', '5'],
    ])
    const amount = record.winLoss.replace('-', '')
    expect(await text(page, '.outcome')).toContain(amount === '0' ? 'Your stake is returned' : amount)
    const cards = await page
      .locator('.spots .card')
      .evaluateAll((all) => all.map((card) => card.getAttribute('data-card')))
    for (const card of cards) expect(record.result.cardInfo).toContain(card)
    expect(await page.locator('.bead').count()).toBe(1)
  })

  test('dragon tiger, with the single cards', async () => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'DT-01', device: 'mobile' })
    await lay(page, 'D', 'T', 'ST', 'DB', 'TE')
    await world.wait(24_000)
    await phase(page, 'result')
    const record = await theSlip(world, page)
    expect(record.bets.map((leg) => leg.zone)).toEqual(['D', 'T', 'ST', 'DB', 'TE'])
    const won = record.bets.filter((leg) => Number(leg.return) > Number(leg.amount)).map((leg) => leg.zone)
    for (const zone of won) expect(await page.getAttribute(`[data-zone="${zone}"]`, 'data-won')).toBe('')
  })

  test('Niu Niu: a double bet shows its hold', async () => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'NN-01' })
    await page.click('[data-zone="P1D"]')
    expect(await text(page, '.stake')).toBe('Stake 5 · 10 held')
    await lay(page, 'P2E')
    await until(() => money(page)).toBe('9980 USD')
    await world.wait(27_000)
    await phase(page, 'result')
    const record = await theSlip(world, page)
    expect(record).toMatchObject({ game: 'niuniu', stake: '10', hold: '10' })
    expect(await page.locator('.niu .card').count()).toBe(21)
    // The three cards that make ten are marked in each hand with a bull, and only there.
    const marked = await page
      .locator('.niu .hand')
      .evaluateAll((hands) => hands.map((hand) => hand.querySelectorAll('[data-ten]').length))
    const ranks = ['B', 'P1', 'P2', 'P3'].map((hand) => Object(record.result)['hands'][hand])
    expect(marked).toEqual(ranks.map((rank) => (rank === 0 ? 0 : 3)))
    await page.click('[data-action="slips"]')
    await page.click('dialog.drawer summary')
    const details = (await text(page, 'dialog.drawer details')) ?? ''
    expect(details).toContain(record.roundId)
    expect(details).toContain(record.slipId)
    const legs = await page.locator('.legs-table tbody tr').evaluateAll((rows) => rows.map((row) => row.textContent))
    const names = ['Player 1 Double', 'Player 2 Equal']
    expect(legs).toEqual(record.bets.map((leg, i) => `${names[i]}${leg.amount}${leg.return}`))
    expect(await page.locator('dialog.drawer .dealt .card').count()).toBe(21)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await text(page, '.sign .status')).toMatch(/^Banker: /)
    expect(await text(page, '.meta')).toBe('Session 1 · Round 1')
    expect(await page.locator('.niuroad .line span').count()).toBe(3)
  })

  test('Niu Niu with a commission: the felt shows the net payout', async () => {
    const world = await aHall()
    const input = { game: 'niuniu', settings: { commission: '0.05' } }
    await createTable(world.casino, 'DEMO', { ...input, tableId: 'OWN-01' })
    await createTable(world.casino, 'DEMO', {
      ...input,
      tableId: 'OWN-02',
      settings: { ...input.settings, specialHands: true },
    })
    for (const tableId of ['OWN-01', 'OWN-02']) await enableTable(world.casino, await demoTenant(world), tableId)
    const odds = async (table: string) => {
      const page = await world.open('amy', { table })
      return [await text(page, '[data-zone="P1E"] .odds'), await text(page, '[data-zone="P1D"] .odds')]
    }
    expect(await odds('NN-01')).toEqual(['1:1', '×1 – ×3'])
    expect(await odds('OWN-01')).toEqual(['0.95:1', '×0.95 – ×2.85'])
    expect(await odds('OWN-02')).toEqual(['0.95:1', '×0.95 – ×4.75'])
  })

  test('Casino Hold’em: the flop is shown, then the player calls', async () => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'HE-01' })
    await lay(page, 'ANTE', 'AAB')
    await world.wait(20_000)
    await phase(page, 'deciding')
    expect(await page.locator('[data-side="board"] .card:not(.gap)').count()).toBe(3)
    expect(await page.locator('[data-side="banker"] .card.back').count()).toBe(2)
    // A hand is named as far as its cards are visible.
    expect(await text(page, '.mine .points')).not.toBe('')
    expect(await text(page, '[data-side="banker"] .points')).toBe('')
    await page.click('.turn [data-action="bet"]')
    await phase(page, 'dealing')
    expect(await page.locator('[data-side="board"] .card:not(.gap)').count()).toBe(5)
    await world.wait(5_000)
    await phase(page, 'result')
    const record = await theSlip(world, page)
    expect(record.bets.map((leg) => [leg.zone, leg.amount])).toEqual([
      ['ANTE', '5'],
      ['AAB', '5'],
      ['CALL', '10'],
    ])
    expect(await text(page, '.outcome')).toMatch(/dealer|Tie/)
    expect(await text(page, '.sign .status')).toBe(`Dealer: ${await text(page, '[data-side="banker"] .points')}`)
    expect(await text(page, '[data-side="banker"] .points')).not.toBe('')
  })

  test('Bonus Poker: flop, turn and river are decided one by one', async () => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'HE-02' })
    await lay(page, 'ANTE', 'BONUS')
    await world.wait(20_000)
    for (const [cards, does] of [
      [0, 'bet'],
      [3, 'pass'],
      [4, 'bet'],
    ] as const) {
      await until(() => page.locator('[data-side="board"] .card:not(.gap)').count()).toBe(cards)
      await page.click(`.turn [data-action="${does}"]`)
    }
    await phase(page, 'dealing')
    await world.wait(5_000)
    await phase(page, 'result')
    const record = await theSlip(world, page)
    expect(record.bets.map((leg) => leg.zone)).toEqual(['ANTE', 'BONUS', 'FLOP', 'RIVER'])
  })

  test('a folded hand loses its ante', async () => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'HE-01', device: 'mobile' })
    await lay(page, 'ANTE')
    await world.wait(20_000)
    await page.click('.turn [data-action="pass"]')
    await phase(page, 'dealing')
    await world.wait(5_000)
    await phase(page, 'result')
    expect(await theSlip(world, page)).toMatchObject({ stake: '5', winLoss: '-5', result: { code: 'fold' } })
  })

  test('no-limit: a seat is taken, a hand is played against guests, the chips are returned', async () => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'HE-03' })
    await page.click('[data-action="sit"]')
    await page.waitForSelector('.seat[data-me]')
    await world.wait(20_000)
    await phase(page, 'deciding')
    expect(await page.locator('.seat').count()).toBe(6)
    expect(await page.locator('.seat[data-me] .card:not(.back)').count()).toBe(2)
    let hasRaised = false
    for (let i = 0; i < 60; i++) {
      const raise = page.locator('.turn:not([hidden]) [data-action="raise"]')
      if (!hasRaised && (await raise.count()) > 0 && (await page.locator('.seat[data-me][data-turn]').count()) > 0) {
        hasRaised = true
        const stack = async () => (await text(page, '[data-action="raise"]'))?.replace(/[^\d.]/g, '') ?? ''
        await page.click('[data-size="all"]')
        expect(await text(page, '[data-action="raise"]')).toContain('All in')
        const all = Number(await stack())
        await page.click('[data-size="pot"]')
        const pot = Number(await stack())
        await page.click('[data-size="half"]')
        const half = Number(await stack())
        expect(pot).toBeLessThan(all)
        expect(half).toBeLessThanOrEqual(pot)
        expect(half % 1).toBe(0)
        expect(await page.getAttribute('.turn .field', 'placeholder')).toMatch(/^[1-9]/)
        // An amount that is typed is not replaced, also after the field has lost its focus.
        for (const typed of [String(all + 1), '0.1', 'x']) {
          await page.fill('.turn .field', typed)
          await page.focus('[data-size="pot"]')
          await page.dispatchEvent('.turn .field', 'input')
          expect(await raise.isDisabled(), typed).toBe(true)
          expect(await text(page, '[data-action="raise"]')).toContain('Bets')
          expect(await page.inputValue('.turn .field')).toBe(typed)
        }
        await page.fill('.turn .field', String(pot))
        expect(await stack()).toBe(String(pot))
      }
      const mine = page.locator('.turn:not([hidden]) :is([data-action="check"], [data-action="call"])')
      if ((await mine.count()) > 0 && (await page.locator('.seat[data-me][data-turn]').count()) > 0) {
        await mine.first().click()
        await until(() => page.locator('.seat[data-me][data-turn]').count()).toBe(0)
      }
      await world.wait(1_200)
      if ((await caughtUp(world, page, 'HE-03')).phase === 'result') break
    }
    await phase(page, 'result')
    const record = await theSlip(world, page)
    expect(hasRaised).toBe(true)
    expect(await text(page, '.sign .status')).not.toBe('The next round opens soon')
    expect(record).toMatchObject({ variant: 'nlhe', onsite: false })
    expect(['win', 'lose', 'split', 'fold']).toContain(record.result.code)
  })
})

describe('at a table', () => {
  test('bets can be changed and withdrawn; bets not placed in time do not count', async () => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'BAC-01' })
    await lay(page, 'P')
    await lay(page, 'P')
    await until(() => money(page)).toBe('9990 USD')
    // A refused reduction leaves the placed bets: the page shows them.
    const limitBets = async (minBet: string | null) => {
      const limits = { game: 'baccarat', currency: 'USD', min: minBet ?? '', max: '50' }
      const profile = minBet === null ? { id: null } : await createLimitProfile(world.casino, 'DEMO', limits)
      await updatePlayer(world.casino, await demoTenant(world), { username: 'amy', limitProfileId: profile.id })
    }
    await limitBets('6')
    await page.click('[data-action="clear"]')
    await page.click('[data-zone="P"]')
    const refused = toast(page, 'Bets must be from 6 to 50.')
    await page.click('[data-action="confirm"]')
    await refused
    await page.waitForSelector('[data-zone="P"][data-placed="yes"]')
    expect(await text(page, '[data-zone="P"] .hidden:not(:first-child)')).toBe('10')
    await limitBets(null)
    await page.click('[data-action="clear"]')
    await page.click('[data-action="confirm"]')
    await until(() => money(page)).toBe('10000 USD')
    await page.click('[data-zone="T"]')
    const notice = toast(page, 'do not count')
    await world.wait(20_000)
    await phase(page, 'dealing')
    await notice
    expect(await page.locator('[data-zone="T"] .chip').count()).toBe(0)
    await world.wait(6_000)
    await phase(page, 'result')
    expect(await records(world)).toEqual([])
  })

  test('one button repeats the bets of the previous round in their variant', async () => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'BAC-01' })
    await page.click('[data-variant="nocomm"]')
    await lay(page, 'B', 'S6')
    for (const ms of [20_000, 6_000]) await world.wait(ms)
    await phase(page, 'result')
    await world.wait(6_000)
    await phase(page, 'betting')
    await page.click('[data-variant="classic"]')
    await page.click('[data-action="repeat"]')
    await page.click('[data-action="double"]')
    await page.click('[data-action="confirm"]')
    await page.waitForSelector('[data-zone="S6"][data-placed="yes"]')
    for (const ms of [20_000, 6_000]) await world.wait(ms)
    await phase(page, 'result')
    expect((await records(world)).map(({ stake, variant }) => [stake, variant])).toEqual([
      ['10', 'nocomm'],
      ['20', 'nocomm'],
    ])
  })

  test('everything works with the keyboard', async () => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'BAC-01' })
    await page.keyboard.press('3')
    await page.focus('[data-zone="T"]')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Space')
    await page.focus('[data-zone="B"]')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Delete')
    await page.focus('[data-action="confirm"]')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[data-zone="T"][data-placed="yes"]')
    await until(() => money(page)).toBe('9980 USD')
  })

  test('bets above the limit of a zone or the balance are refused while chips are laid, with the reason', async () => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'BAC-01' })
    expect(await text(page, '.sums .limits')).toBe('Bets 1 to 5,000')
    await page.keyboard.press('6')
    const aboveLimit = toast(page, 'from 1 to 5,000')
    for (let i = 0; i < 11; i++) await page.click('[data-zone="B"]')
    await aboveLimit
    expect(await text(page, '.stake')).toBe('Stake 5,000')
    for (let i = 0; i < 10; i++) await page.click('[data-zone="P"]')
    const tooMuch = toast(page, 'balance is too low')
    await page.click('[data-zone="T"]')
    await tooMuch
    expect(await text(page, '.stake')).toBe('Stake 10,000')
    expect(await money(page)).toBe('10000 USD')
    await page.click('[data-action="clear"]')
    // An amount of the player's own, within the same limits.
    await page.click('.own')
    expect(await page.evaluate("getComputedStyle(document.querySelector('#own')).opacity")).toBe('1')
    for (const [typed, isRefused] of [
      ['5000.01', true],
      ['0.5', true],
      ['x', true],
      ['12,5', false],
    ] as const) {
      await page.fill('#own', typed)
      await page.keyboard.press('Enter')
      await until(() => page.locator('dialog.small[open]').count()).toBe(isRefused ? 1 : 0)
    }
    await lay(page, 'T')
    await until(() => money(page)).toBe('9987.50 USD')
    expect(await violations(page)).toEqual([])
  })

  test('bets that are not placed are pointed out shortly before the end, and placed if the player chose that', async () => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'BAC-01', isClockStopped: true })
    await page.click('[data-zone="B"]')
    expect(await page.getAttribute('.dock', 'data-late')).toBeNull()
    await world.wait(18_000)
    await page.reload()
    await page.click('[data-zone="B"]')
    await page.waitForSelector('.dock[data-late]')
    expect(await balanceOf(world, 'amy')).toBe('10000')
    await page.click('[data-action="slips"]')
    expect(await text(page, '.play-time')).toBe('Playing for 0 min')
    await page.check('#auto-confirm')
    await page.keyboard.press('Escape')
    await page.reload()
    await phase(page, 'betting')
    expect(await page.isChecked('#auto-confirm')).toBe(true)
    await page.click('[data-zone="P"]')
    await page.waitForSelector('[data-zone="P"][data-placed="yes"]')
    expect(await balanceOf(world, 'amy')).toBe('9995')
  })

  test('sound is off until it is switched on, and a win is animated unless the player wants less motion', async ({
    skip,
  }) => {
    skip(isFirefox, 'Firefox cannot emulate reduced motion')
    const world = await aHall()
    // Otherwise the signal that bets are not placed yet would sound before the end of the betting time.
    const page = await world.open('amy', { table: 'BAC-01', isClockStopped: true })
    const tones = () => page.evaluate<number>(`globalThis.tones ?? 0`)
    await page.evaluate(`{
      const start = OscillatorNode.prototype.start
      OscillatorNode.prototype.start = function (...at) {
        globalThis.tones = (globalThis.tones ?? 0) + 1
        return start.apply(this, at)
      }
    }`)
    await page.click('[data-zone="P"]')
    expect(await tones()).toBe(0)
    await page.click('[data-action="slips"]')
    expect(await page.isChecked('#sound')).toBe(false)
    await page.check('#sound')
    const switchedOn = await tones()
    expect(switchedOn).toBeGreaterThan(0)
    await page.keyboard.press('Escape')
    await page.click('[data-zone="P"]')
    expect(await tones()).toBe(switchedOn + 1)
    const animations = () =>
      page.evaluate<string[]>(`{
        const outcome = document.querySelector('.outcome')
        outcome.dataset.kind = 'won'
        outcome.getAnimations().map(({ animationName }) => animationName)
      }`)
    expect(await animations()).toEqual([])
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await animations()).toContain('win')
  })

  test('the rules show what every zone pays, and the table by which the banker draws', async () => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'BAC-01' })
    await page.click('[data-action="rules"]')
    await page.waitForSelector('dialog.drawer[open] .pays')
    const rows = (no: number) =>
      page
        .locator('dialog[open] .pays')
        .nth(no)
        .locator('tbody tr')
        .evaluateAll((all) => all.map((row) => row.textContent))
    expect(await rows(0)).toEqual(['Banker0.95', 'Player1', 'Tie8', 'Banker pair11', 'Player pair11'])
    expect((await rows(1)).slice(0, 2)).toEqual(['Banker1', 'Banker · Super Six0.5'])
    expect((await rows(2)).slice(6)).toEqual(['66 7', '7–'])
    expect(await violations(page)).toEqual([])
    for (const [table, lang, found] of [
      ['HE-02', 'THAI', '1000'],
      ['NN-01', 'CHS', '3'],
      ['HE-03', 'ENG', 'share of each pot'],
    ] as const) {
      const at = await world.open('bob', { table, lang, device: 'mobile' })
      await at.click('[data-action="rules"]')
      await at.waitForSelector('dialog.drawer[open] p')
      expect(await text(at, 'dialog.drawer[open]'), table).toContain(found)
    }
  })

  describe('auto-repeat', () => {
    const isOn = (page: Page) => page.getAttribute('[data-action="auto"]', 'aria-pressed')
    const auto = async (page: Page, becomes: 'on' | 'off') => {
      await page.click('[data-action="auto"]')
      expect(await isOn(page)).toBe(String(becomes === 'on'))
    }
    const settled = async (world: Hall, page: Page) => {
      for (const ms of [20_000, 6_000]) await world.wait(ms)
      await phase(page, 'result')
    }
    const opened = async (world: Hall, page: Page) => {
      const no = await roundNo(page)
      await world.wait(6_000)
      await until(() => roundNo(page)).toBe(no + 1)
      await phase(page, 'betting')
    }
    const nextRound = async (world: Hall, page: Page) => {
      await settled(world, page)
      await opened(world, page)
    }
    const placed = (page: Page, zone: string) => page.waitForSelector(`[data-zone="${zone}"][data-placed="yes"]`)
    /** The stakes of all settled rounds, in their order. */
    const stakes = async (world: Hall) =>
      (await records(world)).filter(({ status }) => status !== 'void').map(({ stake }) => stake)

    test('repeats the bets it was switched on with, once in a round, whatever another window places', async ({
      skip,
    }) => {
      skip(isFirefox, 'a page behind another tab is hidden in Firefox')
      const world = await aHall()
      const page = await world.open('amy', { table: 'BAC-01' })
      await page.click('[data-zone="B"]')
      const needsBets = toast(page, 'Place bets first')
      await auto(page, 'off')
      await needsBets
      await lay(page)
      await placed(page, 'B')
      const switchedOn = toast(page, 'Auto-repeat is on: 5 is placed in every round until you stop it.')
      await auto(page, 'on')
      await switchedOn
      const second = await page.context().newPage()
      await second.goto(page.url())
      await placed(second, 'B')
      await auto(second, 'on')
      const looks: string[] = []
      for (const window of [page, second])
        window.on('request', (request) => {
          if (/tables\/BAC-01$/.test(request.url())) looks.push(request.url())
        })
      await nextRound(world, page)
      for (const window of [page, second]) await placed(window, 'B')
      for (const window of [page, second]) expect(await isOn(window)).toBe('true')
      // Only the window that came too late looks at what is placed.
      expect(looks.length).toBeLessThanOrEqual(1)
      await auto(second, 'off')
      await lay(second, 'T')
      await world.settle()
      await placed(page, 'T')
      await nextRound(world, page)
      await placed(page, 'B')
      await settled(world, page)
      expect(await stakes(world)).toEqual(['5', '10', '5'])
    })

    test('ends with a lost answer, a low balance, changed limits, withdrawn bets, a blocked player, maintenance, a reload', async ({
      skip,
    }) => {
      skip(isFirefox, 'a request that the test intercepts has no body in Firefox')
      const world = await aHall()
      const tenant = await demoTenant(world)
      const page = await world.open('amy', { table: 'BAC-01' })
      await lay(page, 'B')
      await auto(page, 'on')
      // The response to its request is lost: it sends no other, and the page shows what the server has.
      const orders: string[] = []
      await page.route('**/bets', async (route) => {
        orders.push(route.request().postData() ?? '')
        await route.fetch()
        await route.abort()
      })
      const ends = async (why: string, happens: () => Promise<unknown>) => {
        const notice = toast(page, why)
        await happens()
        await notice
        await until(() => isOn(page)).toBe('false')
      }
      await ends('Connection lost. Try again. Auto-repeat is off.', () => nextRound(world, page))
      await placed(page, 'B')
      expect(orders).toHaveLength(1)
      await page.unroute('**/bets')
      // The last bets are repeated, although none are placed in the round it is switched on.
      await nextRound(world, page)
      await auto(page, 'on')
      await settled(world, page)
      await adjust(world.casino, 'DEMO', 'amy', String(4 - Number(await balanceOf(world, 'amy'))), 'low')
      await ends('Your balance is too low. Auto-repeat is off.', () => opened(world, page))
      await adjust(world.casino, 'DEMO', 'amy', '96', 'high')
      await auto(page, 'on')
      const limits = { game: 'baccarat', currency: 'USD', min: '6', max: '50' }
      const { id: limitProfileId } = await createLimitProfile(world.casino, 'DEMO', limits)
      await updatePlayer(world.casino, tenant, { username: 'amy', limitProfileId })
      await ends('Bets must be from 6 to 50. Auto-repeat is off.', () => nextRound(world, page))
      expect(await balanceOf(world, 'amy')).toBe('100')
      await updatePlayer(world.casino, tenant, { username: 'amy', limitProfileId: null })
      await lay(page, 'T')
      await auto(page, 'on')
      await page.click('[data-action="clear"]')
      await ends('Auto-repeat is off.', () => page.click('[data-action="confirm"]'))
      await lay(page, 'T')
      await auto(page, 'on')
      await updatePlayer(world.casino, tenant, { username: 'amy', status: 'no_bet' })
      await ends('Auto-repeat is off.', () => settled(world, page))
      await updatePlayer(world.casino, tenant, { username: 'amy', status: 'active' })
      await opened(world, page)
      const rest = await balanceOf(world, 'amy')
      await lay(page, 'T')
      await auto(page, 'on')
      await page.reload()
      await placed(page, 'T')
      expect(await isOn(page)).toBe('false')
      await auto(page, 'on')
      await ends('Auto-repeat is off.', async () => {
        await setTableStatus(world.casino, 'live', 'BAC-01', 'maintenance')
        await world.settle()
      })
      expect(await balanceOf(world, 'amy')).toBe(rest)
    })

    test('sends nothing after the table is left, while the page is hidden, or after an hour without the player', async ({
      skip,
    }) => {
      skip(isFirefox, 'a request that the test intercepts has no body in Firefox')
      const world = await aHall()
      const page = await world.open('amy', { table: 'BAC-01' })
      await page.evaluate(`localStorage.setItem('countroom.check', '120')`)
      await lay(page, 'B')
      await auto(page, 'on')
      const hide = (is: boolean) =>
        page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${is}, configurable: true })`)
      await hide(true)
      await nextRound(world, page)
      await hide(false)
      await nextRound(world, page)
      await placed(page, 'B')
      expect(await stakes(world)).toEqual(['5'])
      // Orders do not count as activity of the player: an hour after the last click or key it ends.
      const later = async (ms: number) => {
        const no = await roundNo(page)
        await world.wait(ms)
        await until(() => roundNo(page)).toBeGreaterThan(no)
      }
      await later(3_000_000)
      await placed(page, 'B')
      await nextRound(world, page)
      await placed(page, 'B')
      const notice = toast(page, 'Auto-repeat is off.')
      await world.wait(700_000)
      await notice
      expect(await isOn(page)).toBe('false')
      await nextRound(world, page)
      const count = (await stakes(world)).length
      await auto(page, 'on')
      // The response to a request arrives at another table: it is not shown, and does not stop that table's events.
      let isSent = () => {}
      const sent = new Promise<void>((done) => (isSent = done))
      let answer = () => {}
      const held = new Promise<void>((done) => (answer = done))
      await page.route('**/tables/BAC-01/bets', async (route) => {
        const response = await route.fetch()
        const view = await response.json()
        isSent()
        await held
        await route.fulfill({ response, json: { ...view, version: 1e9 } })
      })
      await settled(world, page)
      await world.wait(6_000)
      await sent
      // While the request is in flight no chip is laid.
      await page.click('[data-zone="P"]')
      expect(await page.locator('[data-zone="P"] .chip').count()).toBe(0)
      await page.click('.back')
      await page.click('.tile[data-table="DT-01"]')
      await page.waitForSelector('.table[data-game="dragontiger"]')
      answer()
      await page.evaluate(`fetch(location.href)`)
      const no = await roundNo(page)
      await world.wait(40_000)
      await until(() => roundNo(page)).toBeGreaterThan(no)
      await world.wait(40_000)
      await page.goto(new URL('/play/t/BAC-01', page.url()).href)
      await page.waitForSelector('.table[data-phase]')
      await world.wait(40_000)
      expect(await stakes(world)).toHaveLength(count + 1)
    })

    test('skips the rounds in which a reality check waits for its answer', async () => {
      const world = await aHall()
      const page = await world.open('amy', { table: 'BAC-01' })
      await page.click('[data-action="slips"]')
      expect(await page.inputValue('#check-every')).toBe('60')
      await page.keyboard.press('Escape')
      // The operator's maximum also holds on pages that are open. A player can only choose less.
      await changeTenant(world.casino, 'DEMO', { checkMinutes: 20 })
      await world.wait(1_000)
      await until(async () => {
        await page.click('[data-action="slips"]')
        const chosen = await page.inputValue('#check-every')
        const offered = await page.locator('#check-every option').allTextContents()
        await page.keyboard.press('Escape')
        return [chosen, ...offered]
      }).toEqual(['20', '15 min', '20 min'])
      await page.click('[data-action="slips"]')
      await page.selectOption('#check-every', '15')
      await page.keyboard.press('Escape')
      await lay(page, 'B')
      await auto(page, 'on')
      await settled(world, page)
      await world.wait(900_000)
      await page.waitForSelector('.reality[open]')
      await until(() => text(page, '.reality')).toMatch(/Playing for 1\d min.*Stake [\d,.]+ USD.*You (won|lost) \d/)
      expect(await violations(page)).toEqual([])
      const orders: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'PUT') orders.push(request.url())
      })
      await page.keyboard.press('Escape')
      const no = await roundNo(page)
      await world.wait(70_000)
      await until(() => roundNo(page)).toBeGreaterThan(no)
      expect(orders).toEqual([])
      await page.click('.reality[open] [data-action="resume"]')
      const resumed = await roundNo(page)
      const isNextOpen = async () => {
        await world.wait(6_000)
        const { phase, no } = await caughtUp(world, page, 'BAC-01')
        return no > resumed && phase === 'betting'
      }
      while (!(await isNextOpen()));
      await until(() => orders.length).toBeGreaterThan(0)
      // A page that is loaded again knows the answer, and asks again after the next interval.
      await page.reload()
      await page.waitForSelector('.table[data-phase]')
      expect(await page.locator('.reality[open]').count()).toBe(0)
      await world.wait(900_000)
      await page.click('.reality[open] [data-action="quit"]')
      await page.waitForSelector('.ended[open][data-reason="LOGGED_OUT"]')
      expect(await page.locator('.reality[open]').count()).toBe(0)
    })
  })

  test('the page reports a lost connection, and reconnects automatically', async () => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'BAC-01' })
    const events = '**/play/v1/events?*'
    await page.route(events, (route) => route.abort())
    await page.click('.back')
    await page.waitForSelector('.offline:not([hidden])')
    expect(await text(page, '.offline')).toBe('Reconnecting…')
    await page.unroute(events)
    await page.waitForSelector('.offline', { state: 'hidden' })
    await page.waitForSelector('.tile[data-table="BAC-01"]')
    // Firefox cannot be taken offline here; the events are the browser's own.
    await page.evaluate("dispatchEvent(new Event('offline'))")
    await page.waitForSelector('.offline:not([hidden])')
    const reopened = page.waitForRequest(events)
    await page.evaluate("dispatchEvent(new Event('online'))")
    await reopened
    await page.waitForSelector('.offline', { state: 'hidden' })
  })

  test('a full demo shows it, lets the player retry, and shows the table when there is room', async () => {
    const world = await aHall()
    await createTenant(world.casino, { code: 'TRY', plan: 'free', timezone: 'UTC', currency: 'USD', currencies: [] })
    await setLimits(world.casino, 'TRY', { viewers_limit: 1, view_minutes: 1 })
    await enableTable(world.casino, await demoTenant(world, 'TRY'), 'BAC-01')
    const amy = await world.open('amy', { tenant: 'TRY', table: 'BAC-01' })
    await amy.waitForSelector('.table[data-phase="betting"]')
    const bob = await world.open('bob', { tenant: 'TRY' })
    await bob.click('.tile[data-table="BAC-01"]')
    await bob.waitForSelector('.curtain[data-reason="full"]')
    expect(await text(bob, '.curtain h1')).toContain('at the same time: 1.')
    expect(await bob.locator('.table').count()).toBe(0)
    expect(await violations(bob)).toEqual([])
    await world.wait(61_000)
    await amy.waitForSelector('.curtain[data-reason="pause"]')
    expect(await text(amy, '.curtain h1')).toContain('without a break: 1.')
    await until(async () => {
      await world.settle()
      // The button disappears with the click.
      await bob.evaluate(`document.querySelector('[data-action="again"]')?.click()`)
      return bob.locator('.table').count()
    }).toBe(1)
    await amy.click('.back')
    await amy.waitForSelector('.tile[data-table="BAC-01"]')
    expect(await amy.locator('.curtain').count()).toBe(0)
  })

  test('a player who may not bet can watch', async () => {
    const world = await aHall()
    await updatePlayer(world.casino, await demoTenant(world), { username: 'amy', status: 'no_bet' })
    const page = await world.open('amy', { table: 'BAC-01' })
    expect(await text(page, '.watching')).toContain('watch')
    await page.click('[data-zone="B"]', { force: true })
    expect(await page.locator('[data-zone="B"] .chip').count()).toBe(0)
    expect(await page.isDisabled('[data-action="confirm"]')).toBe(true)
    expect(await page.isVisible('.rack')).toBe(false)
    expect(await text(page, '.sign .status')).toBe('Betting is open')
    expect(await violations(page)).toEqual([])
    await world.wait(20_000)
    await world.wait(6_000)
    await phase(page, 'result')
    expect(await page.locator('.spots .card:not(.gap)').count()).toBeGreaterThanOrEqual(4)
  })

  test('the page returns to its table after a reload, with the placed bets', async () => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'BAC-01' })
    await lay(page, 'P')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    // In Firefox the page that is left asks why its event stream closed.
    page.on('framenavigated', () => asked.splice(0))
    await page.reload()
    await page.waitForSelector('[data-zone="P"][data-placed="yes"]')
    expect(new URL(page.url()).pathname).toBe('/play/t/BAC-01')
    // The page contains the player and the table: it waits for no further answer.
    expect(asked.filter((path) => /\/v1\/(me$|tables\/)/.test(path))).toEqual([])
  })

  test('maintenance returns the stakes and is shown', async () => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'BAC-01' })
    await lay(page, 'P')
    await setTableStatus(world.casino, 'live', 'BAC-01', 'maintenance')
    await world.settle()
    await until(() => money(page)).toBe('10000 USD')
    await until(() => text(page, '.outcome')).toContain('stakes returned')
    await world.wait(6_000)
    await until(() => text(page, '.sign .status')).toBe('Under maintenance')
  })

  test('a table that the operator disables leads back to the lobby', async () => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'BAC-01' })
    const notice = toast(page, 'closed')
    await disableTable(world.casino, await demoTenant(world), 'BAC-01')
    await world.settle()
    await page.waitForSelector('.tile[data-table="DT-01"]')
    expect(await page.locator('.tile[data-table="BAC-01"]').count()).toBe(0)
    await notice
  })
})

describe('a session that ends is reported on the page', () => {
  test.each([
    ['LOGGED_OUT', async (world: Hall) => void (await logout(world.casino, await demoTenant(world), 'amy'))],
    [
      'LOCKED',
      async (world: Hall) =>
        void (await updatePlayer(world.casino, await demoTenant(world), { username: 'amy', status: 'locked' })),
    ],
    ['SESSION_REPLACED', async (world: Hall) => void (await world.open('amy'))],
    ['IDLE', (world: Hall) => world.wait(3_600_000)],
  ])('%s', async (reason, happens) => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'BAC-01' })
    await happens(world)
    await world.settle()
    await page.waitForSelector(`dialog.ended[data-reason="${reason}"]`)
    if (reason === 'LOCKED') expect(await violations(page)).toEqual([])
  })

  test('a page of an older link can do nothing with the cookie of a newer one', async () => {
    const world = await aHall()
    const page = await world.open('amy', { table: 'BAC-01' })
    await page.click('[data-zone="B"]')
    const { url } = await launch(world.casino, await demoTenant(world), { username: 'amy' })
    await (await page.context().newPage()).goto(url)
    await page.click('[data-action="confirm"]', { force: true }).catch(() => undefined)
    await world.settle()
    await page.waitForSelector('dialog.ended[data-reason="SESSION_REPLACED"]')
    expect(await balanceOf(world, 'amy')).toBe('10000')
  })
})

describe('the lobby', () => {
  test('updates the enabled tables in the player’s language, and leads into one and back', async () => {
    const world = await aHall()
    const page = await world.open('amy', { lang: 'CHS' })
    expect(await page.locator('.tile').count()).toBe(8)
    expect(await text(page, '.tile[data-table="BAC-01"]')).toContain('百家乐 1')
    expect(await page.getAttribute('html', 'lang')).toBe('zh-Hans')
    await world.wait(20_000)
    await world.wait(6_000)
    await page.waitForSelector('.tile[data-table="BAC-01"] .bead')
    await page.click('.tile[data-table="NN-01"]')
    await page.waitForSelector('.table[data-game="niuniu"]')
    await page.click('.back')
    await page.waitForSelector('.tile')
    await page.evaluate('history.back()')
    await page.waitForSelector('.table[data-game="niuniu"]')
  })

  test('the list of bets has pages, keeps what was opened, and names a table that was opened by a link', async () => {
    const world = await aHall()
    await setLive(world.casino, false)
    await world.wait(60_000)
    const slips = [{ username: 'amy', bets: { P: '5', T: '5' } }]
    for (let i = 0; i < 65; i++) await dealExactly(world.casino, demoCode, { tableId: 'BAC-01', code: '2', slips })
    await setLive(world.casino, true)
    await world.settle()
    const page = await world.open('amy', { table: 'DT-02', device: 'mobile' })
    do await world.wait(1_000)
    while ((await caughtUp(world, page, 'DT-02')).phase !== 'betting')
    await lay(page, 'D')
    await page.click('[data-action="slips"]')
    const lines = page.locator('.drawer li[data-slip]')
    await until(() => lines.count()).toBe(30)
    expect(await text(page, '.drawer li b')).toBe('Dragon Tiger 2')
    expect(await violations(page)).toEqual([])
    await lines.nth(29).locator('summary').click()
    await page.click('[data-action="more"]')
    await until(() => lines.count()).toBe(60)
    // A new result changes one line; earlier pages and open details stay.
    await world.wait(20_000)
    await world.wait(4_000)
    await page.waitForSelector('.drawer li[data-slip]:first-child:not([data-kind="open"])')
    expect(await lines.count()).toBe(60)
    expect(await lines.nth(29).locator('details').getAttribute('open')).toBe('')
    // The answer that continues a list arrives after the list was replaced: it is not appended to the new one.
    const { promise: held, resolve: answer } = Promise.withResolvers<void>()
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    await page.route('**/slips?before=*', async (route) => {
      ask()
      await held
      await route.continue()
    })
    await page.click('[data-action="more"]')
    await asked
    await page.route('**/slips', async (route) => {
      const response = await route.fetch()
      const { slips: latest }: { slips: SlipView[] } = await response.json()
      const others = latest.slice(0, 3).map((slip, i) => ({ ...slip, slipId: `OTHER${i}` }))
      await route.fulfill({ response, json: { slips: others, hasMore: true } })
    })
    await page.keyboard.press('Escape')
    await page.click('[data-action="slips"]')
    await until(() => lines.count()).toBe(3)
    answer()
    await page.waitForSelector('[data-action="more"]:not([disabled])')
    expect(await lines.count()).toBe(3)
  })

  test('a demo is marked as one', async () => {
    const world = await aHall()
    const page = await world.open('amy', { tenant: 'DEMO-SBX' })
    expect(await page.isVisible('.demo')).toBe(true)
    const mark = `getComputedStyle(document.querySelector('#app'), '::after').content`
    expect(await page.evaluate(mark)).toBe('"DEMO"')
    const paid = await world.open('amy')
    expect(await paid.isVisible('.demo')).toBe(false)
    expect(await paid.evaluate(mark)).toBe('none')
  })

  test('ends by signing out', async () => {
    const world = await aHall()
    const page = await world.open('amy')
    await page.click('[data-action="leave"]')
    await world.settle()
    await page.waitForSelector('dialog.ended[data-reason="LOGGED_OUT"]')
  })

  test.each(['pc', 'mobile'])(
    'has a link back to the operator’s site on a %s, if the Console has its URL',
    async (device) => {
      const world = await aHall()
      const without = await world.open('bob', { device })
      expect(await without.isVisible('[data-action="site"]')).toBe(false)
      await changeTenant(world.casino, 'DEMO', { siteUrl: 'https://casino.example/home?x=1' })
      const page = await world.open('amy', { device })
      const link = page.getByRole('link', { name: 'Back to the site' })
      expect(await link.getAttribute('href')).toBe('https://casino.example/home?x=1')
      expect(await link.isVisible()).toBe(true)
      expect(await violations(page)).toEqual([])
      await page.click('[data-action="leave"]')
      const end = page.locator('dialog.ended a')
      expect(await end.getAttribute('href')).toBe('https://casino.example/home?x=1')
      expect(await violations(page)).toEqual([])
      await changeTenant(world.casino, 'DEMO', { siteUrl: '' })
      expect(await (await world.open('amy', { device })).isVisible('[data-action="site"]')).toBe(false)
      await expect(changeTenant(world.casino, 'DEMO', { siteUrl: 'javascript:alert(1)' })).rejects.toThrow(
        'is not a site URL',
      )
    },
  )
})

test.each(['pc', 'mobile'])('nothing covers the controls on a %s', async (device) => {
  const world = await aHall()
  const page = await world.open('amy', { device })
  expect(await violations(page)).toEqual([])
  for (const table of ['BAC-01', 'DT-01', 'HE-01', 'HE-03', 'NN-02']) {
    const at = await world.open('bob', { table, device, at: page })
    expect(await violations(at), table).toEqual([])
    const { scroll, width } = (await at.evaluate(
      '({ scroll: document.documentElement.scrollWidth, width: innerWidth })',
    )) as {
      scroll: number
      width: number
    }
    expect(scroll, `${table} is as wide as the screen`).toBeLessThanOrEqual(width)
    const small = await at
      .locator('button:visible, a:visible, .rack label:visible')
      .evaluateAll((all) =>
        all.filter((each) => each.getBoundingClientRect().height < 43.5).map((each) => each.outerHTML),
      )
    expect(small, `${table} has nothing too small for a finger`).toEqual([])
  }
})
