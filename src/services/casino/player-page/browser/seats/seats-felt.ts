import { hand, layHand } from '../cards.ts'
import { fill, h, setText } from '../dom.ts'
import { formatText, handName, strings } from '../messages.ts'
import { shown } from '../money.ts'
import type { Felt } from '../table-layouts.ts'
import type { RoundView, SeatView } from '../views.ts'

/** No-limit Hold'em: seats around the table, the pot in the middle. */
export function seatsFelt(): Felt {
  const w = strings()
  const board = h('div.cards')
  const pot = h('b.pot')
  const ring = h('ul.ring')
  const element = h('div.oval', {}, h('div.middle', {}, pot, board), ring)
  return {
    element,
    show({ round }) {
      setText(pot, round?.pot ? formatText(w.pot, shown(round.pot)) : '')
      layHand(board, round?.board ?? [], 5)
      const seats = seatsFromMe(round)
      fill(ring, JSON.stringify([seats, round?.turn, round?.phase]), () =>
        seats.map((seat, i) => seatItem(seat, round, i, seats.length)),
      )
    },
  }
}

/** Returns the seats clockwise, the player's own at the bottom. */
function seatsFromMe(round: RoundView | null): SeatView[] {
  const seats = [...(round?.seats ?? [])].sort((a, b) => a.seat - b.seat)
  const me = Math.max(
    0,
    seats.findIndex((seat) => seat.isMe),
  )
  return [...seats.slice(me), ...seats.slice(0, me)]
}

function seatItem(seat: SeatView, round: RoundView | null, index: number, count: number): HTMLElement {
  const w = strings()
  const angle = (2 * Math.PI * index) / count
  const name = seat.isMe ? w.you : seat.isGuest ? formatText(w.guest, String(seat.seat)) : seat.name
  return h(
    'li.seat',
    {
      'data-seat': seat.seat,
      'data-me': seat.isMe ? '' : null,
      'data-turn': round?.turn === seat.seat && round.phase === 'deciding' ? '' : null,
      'data-folded': seat.hasFolded ? '' : null,
      '--x': `${(50 - 42 * Math.sin(angle)).toFixed(1)}%`,
      '--y': `${(50 + 50 * Math.cos(angle)).toFixed(1)}%`,
    },
    hand(seat.cards, 0, seat.cards.length),
    h(
      'div.plaque',
      {},
      h('span.who', {}, name, seat.hasButton && h('i.button', { title: 'Button' }, 'D')),
      seat.stack !== null && h('span.stack', {}, shown(seat.stack)),
    ),
    seat.street !== null && h('span.put', {}, shown(seat.street)),
    lineOf(seat) !== '' && h('span.last', {}, lineOf(seat)),
  )
}

/** Returns the last action of a seat, and the name of its hand if it is shown. */
function lineOf({ last, hand: name, hasFolded }: SeatView): string {
  const did = last === null ? '' : lastText(last)
  return (hasFolded ? undefined : handName(name)) ?? did
}

function lastText(last: string): string {
  const w = strings()
  const [action = '', amount = ''] = last.split(' ')
  const sentence = { fold: w.fold, check: w.checkTurn, call: w.call, bet: w.bet, raise: w.raiseTo }[action] ?? action
  return formatText(sentence, shown(amount || '0'))
}
