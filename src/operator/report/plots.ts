import { formatUnits, playerScale } from '../../domain/money.ts'
import { byText } from '../../domain/reconcile/daily.ts'
import type { Day } from '../../domain/time/day.ts'
import { countText } from '../../kit/text/count-text.ts'
import type { DayTotal } from '../bets/slips-by-day.ts'
import { amountText, dayText, shortDayText } from './format.ts'
import { html, type Markup } from './html.ts'

/**
 * The two plots, without script: win/loss per day, and per player. Each bar shows its figure as a tooltip, and a table below has
 * all figures.
 *
 * Amounts are units. Only bar positions are floats, because they are coordinates and not money.
 */
const coordinate = (units: bigint): number => Number(units) / 10 ** playerScale

/** Returns about six round tick values from below the minimum to above the maximum, including zero. */
export function ticksFor(lowest: number, highest: number): number[] {
  const reach = Math.max(highest, 0) - Math.min(lowest, 0)
  if (reach === 0) return [0, 1]
  const rough = reach / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const first = Math.floor(Math.min(lowest, 0) / step)
  const last = Math.ceil(Math.max(highest, 0) / step)
  // By number of steps: repeated addition would accumulate rounding errors.
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step)
}

export function tickText(value: number): string {
  const isLarge = Math.abs(value) >= 100_000
  return value.toLocaleString(
    'en-US',
    isLarge ? { notation: 'compact', maximumFractionDigits: 2 } : { maximumFractionDigits: 4 },
  )
}

export const px = (value: number): string => value.toFixed(1)

/** Each plot is drawn twice, for wide and narrow screens, so that its text keeps a readable size. */
export type ScreenSize = 'wide' | 'narrow'

const dayPlots = {
  wide: { width: 960, height: 280, left: 76, right: 8, top: 22, bottom: 34, names: 10 },
  narrow: { width: 360, height: 220, left: 52, right: 4, top: 22, bottom: 30, names: 5 },
} as const

/** Half the width of a day label, so that the last one is not cut off. */
const halfLabel = 22

/** Plots the players' win/loss per day in one currency, with the reconciled days marked. */
export function daysPlot(
  days: readonly Day[],
  totals: ReadonlyMap<Day, DayTotal>,
  marked: ReadonlySet<Day>,
  currency: string,
  screen: ScreenSize,
): Markup {
  const { width, height, left, right, top, bottom, names } = dayPlots[screen]
  const values = days.map((day) => coordinate(totals.get(day)?.winLoss ?? 0n))
  const ticks = ticksFor(Math.min(0, ...values), Math.max(0, ...values))
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const y = (value: number) => top + ((high - value) / (high - low)) * (height - top - bottom)
  const slot = (width - left - right) / Math.max(1, days.length)
  const everyNth = Math.max(1, Math.ceil(days.length / names))
  const near = Math.ceil(everyNth * 0.75)
  // A single marked day always has a label; a neighboring label that would overlap is dropped.
  const isNamed = (i: number) => {
    if (marked.has(days[i] ?? '')) return marked.size === 1 || i % everyNth === 0
    const isNearMarked =
      marked.size === 1 && days.slice(Math.max(0, i - near), i + near + 1).some((day) => marked.has(day))
    return i % everyNth === 0 && !isNearMarked
  }
  const plain = height - top - bottom
  // Drawing order: bands of marked days, grid, bars.
  const bands = days.map(
    (day, i) =>
      marked.has(day) &&
      html`<rect class="band" x="${px(left + i * slot)}" y="${top - 14}" width="${px(slot)}" height="${plain + 14}"/>`,
  )
  const bars = days.map((day, i) => {
    const value = values[i] ?? 0
    const x = left + i * slot
    return html`<g><rect class="hit" x="${px(x)}" y="${top}" width="${px(slot)}" height="${plain}"/>
<rect class="${value < 0 ? 'lost' : 'won'}" x="${px(x + slot * 0.18)}" y="${px(Math.min(y(value), y(0)))}" width="${px(slot * 0.64)}" height="${px(barHeight(value, y))}" rx="1.5"/>
<title>${dayTitle(day, totals.get(day), currency)}</title></g>
${isNamed(i) && html`<text class="${marked.has(day) ? 'this' : 'tick'}" x="${px(Math.min(x + slot / 2, width - halfLabel))}" y="${height - 12}" text-anchor="middle">${shortDayText(day)}</text>`}`
  })
  const grid = ticks.map(
    (
      tick,
    ) => html`<line class="${tick === 0 ? 'zero' : 'grid'}" x1="${left}" x2="${width - right}" y1="${px(y(tick))}" y2="${px(y(tick))}"/>
<text x="${left - 10}" y="${px(y(tick) + 4)}" text-anchor="end">${tickText(tick)}</text>`,
  )
  const label = `Players' win/loss per day in ${currency}, ${days[0]} to ${days.at(-1)}; the table below has the figures`
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${bands}${grid}${bars}</svg>`
}

/** Minimum bar height, so that a day with slips is visible even if they sum up to little. */
function barHeight(value: number, y: (value: number) => number): number {
  return value === 0 ? 0 : Math.max(1.5, Math.abs(y(value) - y(0)))
}

function dayTitle(day: Day, total: DayTotal | undefined, currency: string): string {
  if (!total) return `${dayText(day)}: no slips`
  return `${dayText(day)}: ${outcomeText(total.winLoss, currency)}, ${countText(total.slips, 'slip')}`
}

export function outcomeText(units: bigint, currency: string): string {
  const text = amountText(formatUnits(units < 0n ? -units : units, playerScale))
  if (units === 0n) return `neither won nor lost ${currency}`
  return `${units < 0n ? 'lost' : 'won'} ${text} ${currency}`
}

/** A player in the plot: the book's figure, and the platform's if it differs. */
export interface PlayerBar {
  readonly username: string
  readonly book: bigint
  /** Null if the two agree, or if the platform's figure is not a number. */
  readonly platform: bigint | null
  readonly differs: boolean
}

const maxEach = 10

/** Selects the largest wins and losses, and players with differences as far as there is room. */
export function shownBars(bars: readonly PlayerBar[]): PlayerBar[] {
  const sorted = [...bars].sort((a, b) =>
    a.book === b.book ? byText(a.username, b.username) : a.book > b.book ? -1 : 1,
  )
  const winners = sorted.filter((bar) => bar.book > 0n).slice(0, maxEach)
  const lowestBars = sorted.filter((bar) => bar.book < 0n).slice(-maxEach)
  const differing = sorted.filter((bar) => bar.differs && !winners.includes(bar) && !lowestBars.includes(bar))
  const shown = new Set([...winners, ...lowestBars, ...differing.slice(0, maxEach)])
  return sorted.filter((bar) => shown.has(bar))
}

const playerPlots = {
  wide: { width: 960, row: 26, names: 230, figures: 130, longestName: 28, ticks: 1 },
  narrow: { width: 360, row: 28, names: 104, figures: 76, longestName: 13, ticks: 2 },
} as const
const [above, below] = [10, 30]

/** Plots players as bars on either side of zero, winners first. */
export function playersPlot(bars: readonly PlayerBar[], currency: string, screen: ScreenSize): Markup {
  const { width, row, names, figures, longestName, ticks: everyNth } = playerPlots[screen]
  const height = above + bars.length * row + below
  const values = bars.flatMap((bar) => [coordinate(bar.book), coordinate(bar.platform ?? bar.book)])
  const ticks = ticksFor(Math.min(0, ...values), Math.max(0, ...values))
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const x = (value: number) => names + ((value - low) / (high - low)) * (width - names - figures)
  const rows = bars.map((bar, i) => {
    const y = above + i * row
    const value = coordinate(bar.book)
    const [from, to] = [Math.min(x(0), x(value)), Math.max(x(0), x(value))]
    const middle = y + row / 2
    return html`<g><rect class="hit" x="0" y="${y}" width="${width}" height="${row}"/>
<text class="${bar.differs ? 'differs' : 'name'}" x="${names - 12}" y="${px(middle + 4)}" text-anchor="end">${shortName(bar.username, longestName)}${bar.differs ? ' ≠' : ''}</text>
<text class="figure" x="${width}" y="${px(middle + 4)}" text-anchor="end">${amountText(formatUnits(bar.book, playerScale))}</text>
<rect class="${value < 0 ? 'lost' : 'won'}" x="${px(from)}" y="${px(y + 4)}" width="${px(value === 0 ? 0 : Math.max(1.5, to - from))}" height="${row - 8}" rx="2"/>
${bar.platform !== null && html`<path class="stated" d="M${px(x(coordinate(bar.platform)))} ${px(middle - 7)}l5.5 7l-5.5 7l-5.5 -7z"/>`}
<title>${playerTitle(bar, currency)}</title></g>`
  })
  const grid = ticks.map(
    (
      tick,
      i,
    ) => html`<line class="${tick === 0 ? 'zero' : 'grid'}" x1="${px(x(tick))}" x2="${px(x(tick))}" y1="${above}" y2="${height - below}"/>
${i % everyNth === 0 && html`<text x="${px(x(tick))}" y="${height - 10}" text-anchor="middle">${tickText(tick)}</text>`}`,
  )
  const label = `Players' win/loss in ${currency}: ${bars.length} players; the table below has the figures`
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${grid}${rows}</svg>`
}

function shortName(name: string, longest: number): string {
  const letters = [...name]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : name
}

function playerTitle(bar: PlayerBar, currency: string): string {
  const book = `${bar.username} ${outcomeText(bar.book, currency)} by the book`
  return bar.platform === null ? book : `${book}, ${outcomeText(bar.platform, currency)} by the platform`
}
