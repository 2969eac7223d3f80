import { h } from './dom.ts'
import { strings } from './messages.ts'
import type { OpenTableInfo } from './views.ts'
import { conditionOf } from './zones.ts'

/** Zones of Hold'em tables whose wins depend on the hand. */
const zonesByVariant: Readonly<Record<string, readonly string[]>> = { casino: ['ANTE', 'AAB'], thbp: ['BONUS'] }

/** Returns the pay table of a Hold'em table, which has no road; `null` for other games. */
export function payTable({ variants, pays }: OpenTableInfo): HTMLElement | null {
  const [variant = ''] = variants
  const zones = zonesByVariant[variant]
  if (!zones) return null
  const tables = zones.map((zone) => {
    const rows = (pays[variant] ?? []).filter((win) => win.zone === zone)
    const lines = rows.map(({ when, pays: net }) =>
      h('tr', {}, h('th', { scope: 'row' }, conditionOf(when)), h('td', {}, `${net}:1`)),
    )
    return h('table.pays', {}, h('caption', {}, strings().zones[zone] ?? zone), h('tbody', {}, ...lines))
  })
  return h('div', {}, ...tables)
}
