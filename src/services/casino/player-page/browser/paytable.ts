import { h } from './dom.ts'
import { words } from './messages.ts'
import type { TableInfo } from './views.ts'

/** Returns the pay table of a Hold'em table, which has no road; `null` for other games. */
export function payTable(info: TableInfo): HTMLElement | null {
  const w = words()
  const [variant] = info.variants
  const lines = (title: string, rows: readonly (readonly [string, string])[]) =>
    h(
      'table.pays',
      {},
      h('caption', {}, title),
      h('tbody', {}, ...rows.map(([name, pays]) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, pays)))),
    )
  const { hands, zones } = w
  if (variant === 'casino')
    return h(
      'div',
      {},
      lines(zones['ANTE'] ?? '', [
        [hands['royal'] ?? '', '100:1'],
        [hands['straightFlush'] ?? '', '20:1'],
        [hands['quads'] ?? '', '10:1'],
        [hands['fullHouse'] ?? '', '3:1'],
        [hands['flush'] ?? '', '2:1'],
        [hands['lower'] ?? '', '1:1'],
      ]),
      lines(zones['AAB'] ?? '', [
        [hands['royal'] ?? '', '100:1'],
        [hands['straightFlush'] ?? '', '50:1'],
        [hands['quads'] ?? '', '40:1'],
        [hands['fullHouse'] ?? '', '30:1'],
        [hands['flush'] ?? '', '20:1'],
        [hands['aces'] ?? '', '7:1'],
      ]),
    )
  if (variant !== 'thbp') return null
  return lines(zones['BONUS'] ?? '', [
    [`A-A · ${w.dealer} A-A`, '1000:1'],
    ['A-A', '30:1'],
    ['A-K ♠♠', '25:1'],
    ['A-Q, A-J ♠♠', '20:1'],
    ['A-K', '15:1'],
    ['K-K, Q-Q, J-J', '10:1'],
    ['A-Q, A-J', '5:1'],
    ['T-T – 2-2', '3:1'],
  ])
}
