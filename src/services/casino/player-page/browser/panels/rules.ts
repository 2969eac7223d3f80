import { h } from '../dom.ts'
import { strings } from '../messages.ts'
import type { RulesView, TableInfo } from '../views.ts'
import { conditionOf, fullZoneName, zoneName } from '../zones.ts'
import type { RuleStrings } from './strings.ts'

/** Returns the rules of a table and its pay table, which the server makes by the rules that settle bets. */
export async function rulesPanel(
  info: TableInfo,
  { pays, draws }: RulesView,
  language: string,
): Promise<HTMLElement[]> {
  // The path is one of the page's script, which contains this module.
  const loaded: { strings: RuleStrings } = await import(`./panels/languages/${language}.js`)
  const r = loaded.strings
  const variant = info.blinds ? 'nlhe' : info.game === 'holdem' ? (info.variants[0] as 'casino') : info.game
  const tables = info.variants.map((each) => {
    const rows = (pays[each] ?? []).map(
      ({ zone, when, pays: net }) =>
        [[nameOf(info, zone), conditionOf(when)].filter(Boolean).join(' · '), `${net.replace('-', '−')}`] as const,
    )
    const name = info.variants.length > 1 ? ` · ${each === 'nocomm' ? strings().nocomm : strings().classic}` : ''
    return rows.length > 0 && table(`${r.payTable}${name}`, [r.zone, r.pays], rows)
  })
  return [
    h('p', {}, r.texts[variant]),
    ...tables.filter((each) => each !== false),
    ...(draws.length > 0
      ? [
          table(
            `${strings().zones['B']}`,
            [r.bankerTotal, r.bankerDraws],
            draws.map(({ points, on }) => [String(points), on.join(' ') || '–'] as const),
          ),
        ]
      : []),
  ]
}

function nameOf({ game }: TableInfo, zone: string): string {
  return game === 'niuniu' ? zoneName(game, zone) : fullZoneName(game, zone)
}

function table(title: string, head: readonly string[], rows: readonly (readonly [string, string])[]): HTMLElement {
  return h(
    'table.pays',
    {},
    h('caption', {}, title),
    h('thead', {}, h('tr', {}, ...head.map((text) => h('th', { scope: 'col' }, text)))),
    h('tbody', {}, ...rows.map(([name, value]) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, value)))),
  )
}
