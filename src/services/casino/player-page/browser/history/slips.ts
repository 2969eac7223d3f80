import { serverNow } from '../clock.ts'
import { h } from '../dom.ts'
import { strings } from '../messages.ts'
import { shown, unitsOf } from '../money.ts'
import type { SlipView } from '../views.ts'
import { fullZoneName } from '../zones.ts'

/** Returns the line of a slip: `name` is its table or its round. */
export function slipItem(slip: SlipView, name: string): HTMLElement {
  const w = strings()
  const isOpen = slip.status === 'placed'
  const isVoid = slip.status === 'void'
  const result = isOpen
    ? '…'
    : isVoid
      ? w.codes['void']
      : shown(slip.winLoss.startsWith('-') || unitsOf(slip.winLoss) === 0n ? slip.winLoss : `+${slip.winLoss}`)
  const bets = Object.entries(slip.bets).map(
    // The amount that a seat puts into the pot is known after the hand; until then its chips are shown.
    ([zone, amount]) => `${zone === 'POT' && isOpen ? w.chips : fullZoneName(slip.game, zone)} ${shown(amount)}`,
  )
  const kind = isOpen || isVoid ? 'open' : slip.winLoss.startsWith('-') ? 'lost' : 'won'
  return h(
    'li',
    { 'data-slip': slip.slipId, 'data-kind': kind },
    h('div', {}, h('b', {}, name), h('time', {}, timeOf(slip.placedAt))),
    h('p', {}, bets.join(' · ')),
    h('strong', {}, result ?? ''),
  )
}

/** Returns a time in the page's language; with its day unless it is of today. */
function timeOf(at: number): string {
  const language = document.documentElement.lang
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
  const isToday = new Date(at).toDateString() === new Date(serverNow()).toDateString()
  const day = isToday ? {} : ({ month: 'short', day: 'numeric' } as const)
  return new Intl.DateTimeFormat(language, { ...day, ...time }).format(at)
}
