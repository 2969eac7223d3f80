import { fill, h, onClick, set } from './dom.ts'
import { formatText, strings } from './messages.ts'
import { shown, textOf, unitsOf } from './money.ts'
import type { TableCallbacks } from './table-parts.ts'
import type { TableInfo, TableView } from './views.ts'

/** Decision prompt in Hold'em: bet an amount, or pass. It replaces the chips. */
export function decisionPrompt(
  info: TableInfo,
  callbacks: TableCallbacks,
): { element: HTMLElement; show(view: TableView): void } {
  const w = strings()
  const element = h('div.turn', { role: 'group', 'aria-label': w.yourTurn, hidden: true })
  let isSending = false
  return {
    element,
    show({ round, mine }) {
      const ask = info.asks.find(({ moment }) => moment === round?.moment)
      const mustDecide = round?.phase === 'deciding' && mine !== null && !mine.hasDecided && !mine.hasFolded
      set(element, { hidden: !ask || !mustDecide })
      const answer = (does: 'bet' | 'pass') => async () => {
        if (isSending || !round || !ask) return
        isSending = true
        await callbacks.after(callbacks.api.decide(info.tableId, { roundId: round.roundId, moment: ask.moment, does }))
        isSending = false
      }
      fill(element, ask && mustDecide ? `${round?.roundId}/${ask.moment}` : '', () => {
        if (!ask || !mustDecide) return []
        const amount = shown(textOf(unitsOf(mine?.bets['ANTE'] ?? '0') * BigInt(ask.timesAnte)))
        const isFirst = ask === info.asks[0]
        const yes =
          ask.zone === 'CALL' ? formatText(w.call, amount) : `${w.zones[ask.zone]} ${formatText(w.betFor, amount)}`
        return [
          h('b.ask', {}, w.yourTurn),
          onClick(
            h('button.action', { type: 'button', 'data-action': 'pass' }, isFirst ? w.fold : w.checkTurn),
            answer('pass'),
          ),
          onClick(h('button.action', { type: 'button', 'data-action': 'bet', 'data-ready': '' }, yes), answer('bet')),
        ]
      })
    },
  }
}
