import { formatUnits, parseUsd, usdScale } from '../../domain/money.ts'
import type { UsageDay } from '../../services/casino/api/schemas/index.ts'
import { amountText, dayText, shortDayText } from './format.ts'
import { html, type Markup } from './html.ts'
import { px, type ScreenSize, ticksFor, tickText } from './plots.ts'

/** Plot of the cost per day without script: a bar of table fees, with streaming fees on top. */

const plots = {
  wide: { width: 960, height: 260, left: 76, right: 8, top: 16, bottom: 34, names: 10 },
  narrow: { width: 360, height: 210, left: 52, right: 4, top: 16, bottom: 30, names: 4 },
} as const

/** Half the width of a day label, so that the last one is not cut off. */
const halfLabel = 22

/** Bar positions are floats, because they are coordinates and not money. */
const coordinate = (units: bigint): number => Number(units) / 10 ** usdScale

export function chargesPlot(days: readonly UsageDay[], wrong: ReadonlySet<string>, screen: ScreenSize): Markup {
  const { width, height, left, right, top, bottom, names } = plots[screen]
  const fees = days.map((day) => ({ table: parseUsd(day.tableFeeUsd), stream: parseUsd(day.streamFeeUsd) }))
  const ticks = ticksFor(0, Math.max(0, ...fees.map(({ table, stream }) => coordinate(table + stream))))
  const high = ticks.at(-1) ?? 1
  const y = (units: bigint) => top + ((high - coordinate(units)) / high) * (height - top - bottom)
  const slot = (width - left - right) / Math.max(1, days.length)
  const everyNth = Math.max(1, Math.ceil(days.length / names))
  const bars = days.map((day, i) => {
    const { table, stream } = fees[i] ?? { table: 0n, stream: 0n }
    const x = left + i * slot
    const bar = (kind: string, from: bigint, to: bigint) =>
      to > from &&
      html`<rect class="${kind}" x="${px(x + slot * 0.14)}" y="${px(y(to))}" width="${px(slot * 0.72)}" height="${px(Math.max(1, y(from) - y(to)))}"/>`
    const band =
      wrong.has(day.day) &&
      html`<rect class="band" x="${px(x)}" y="${top - 10}" width="${px(slot)}" height="${height - top - bottom + 10}"/>`
    const total = amountText(formatUnits(table + stream, usdScale))
    return html`<g>${band}<rect class="hit" x="${px(x)}" y="${top}" width="${px(slot)}" height="${height - top - bottom}"/>
${bar('won', 0n, table)}${bar('lost', table, table + stream)}
<title>${dayText(day.day)}: USD ${total}, ${day.tableDays} table-days, ${day.streamGb} GB streamed</title></g>
${i % everyNth === 0 && html`<text class="tick" x="${px(Math.min(x + slot / 2, width - halfLabel))}" y="${height - 12}" text-anchor="middle">${shortDayText(day.day)}</text>`}`
  })
  const grid = ticks.map(
    (
      value,
    ) => html`<line class="${value === 0 ? 'zero' : 'grid'}" x1="${left}" x2="${width - right}" y1="${px(heightOf(value))}" y2="${px(heightOf(value))}"/>
<text x="${left - 10}" y="${px(heightOf(value) + 4)}" text-anchor="end">${tickText(value)}</text>`,
  )
  function heightOf(value: number): number {
    return top + ((high - value) / high) * (height - top - bottom)
  }
  const label = `USD charged per day, ${days[0]?.day} to ${days.at(-1)?.day}; the table below has the figures`
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${grid}${bars}</svg>`
}
