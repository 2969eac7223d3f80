import type { Betting, Hooks } from './bets.ts'
import { hand, layHand } from './cards.ts'
import { add, fill, h, onClick, set, setText } from './dom.ts'
import { handName, say, words } from './messages.ts'
import { shown, textOf, unitsOf } from './money.ts'
import type { Felt } from './table-layouts.ts'
import type { ChoicesView, RoundView, SeatView, TableInfo, TableView } from './views.ts'

/** No-limit Hold'em: seats around the table, the pot in the middle, and what a seat may do. */

export function seatsFelt(): Felt {
  const w = words()
  const board = h('div.cards')
  const pot = h('b.pot')
  const ring = h('ul.ring')
  const element = h('div.oval', {}, h('div.middle', {}, pot, board), ring)
  return {
    element,
    show({ round }) {
      setText(pot, round?.pot ? say(w.pot, shown(round.pot)) : '')
      layHand(board, round?.board ?? [], 5)
      const seats = seatsFromMe(round)
      fill(ring, JSON.stringify([seats, round?.turn, round?.phase]), () =>
        seats.map((seat, i) => seatItem(seat, round, i, seats.length)),
      )
    },
  }
}

/** The seats clockwise, the player's own at the bottom. */
function seatsFromMe(round: RoundView | null): SeatView[] {
  const seats = [...(round?.seats ?? [])].sort((a, b) => a.seat - b.seat)
  const me = Math.max(
    0,
    seats.findIndex((seat) => seat.isMe),
  )
  return [...seats.slice(me), ...seats.slice(0, me)]
}

function seatItem(seat: SeatView, round: RoundView | null, place: number, count: number): HTMLElement {
  const w = words()
  const angle = (2 * Math.PI * place) / count
  const name = seat.isMe ? w.you : seat.isGuest ? say(w.guest, String(seat.seat)) : seat.name
  return h(
    'li.seat',
    {
      'data-seat': seat.seat,
      'data-me': seat.isMe ? '' : null,
      'data-turn': round?.turn === seat.seat && round.phase === 'deciding' ? '' : null,
      'data-folded': seat.hasFolded ? '' : null,
      '--x': `${(50 - 42 * Math.sin(angle)).toFixed(1)}%`,
      '--y': `${(50 + 40 * Math.cos(angle)).toFixed(1)}%`,
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

/** What a seat did last, and what its cards come to where they lie open. */
function lineOf({ last, hand: name, hasFolded }: SeatView): string {
  const did = last === null ? '' : lastWords(last)
  return (hasFolded ? undefined : handName(name)) ?? did
}

function lastWords(last: string): string {
  const w = words()
  const [what = '', amount = ''] = last.split(' ')
  const sentence = { fold: w.fold, check: w.check, call: w.call, bet: w.bet, raise: w.raiseTo }[what] ?? what
  return say(sentence, shown(amount || '0'))
}

/** Before the hand: the chips for a seat. On the player's turn: what they may do. */
export function seating(info: TableInfo, hooks: Hooks): Betting {
  const w = words()
  const { minBuyIn = '0', maxBuyIn = '0', big = '2' } = info.blinds ?? {}
  let view: TableView | null = null
  let round = ''
  let isSending = false
  let raise = 0n

  const range = (label: string) => h('input', { type: 'range', 'aria-label': label, min: 0, max: 100, value: 50 })
  const buyIn = range(w.chips)
  const every = h('input', { type: 'checkbox', id: 'every' })
  const sitButton = h('button.action', { type: 'button', 'data-action': 'sit', 'data-ready': '' })
  const leaveButton = h('button.action', { type: 'button', 'data-action': 'stand' }, w.leaveSeat)
  const sitBox = h(
    'div.sit',
    {},
    buyIn,
    h('label.every', { for: 'every' }, every, ` ${w.everyHand}`),
    sitButton,
    leaveButton,
  )
  const turnBox = h('div.turn', { role: 'group', 'aria-label': w.yourTurn })
  const amount = range(w.raiseTo)
  const dock = h('div.dock', { 'data-kind': 'nolimit' }, sitBox, turnBox)
  const zones = h('div.zones-box')

  /** A place of the slider as an amount between two, in whole big blinds but for the ends. */
  const between = (least: bigint, most: bigint, place: number): bigint => {
    if (place >= 100) return most
    const step = unitsOf(big)
    const exact = least + ((most - least) * BigInt(place)) / 100n
    const whole = exact - ((exact - least) % step)
    return whole > most ? most : whole
  }
  const chosenBuyIn = () => between(unitsOf(minBuyIn), unitsOf(maxBuyIn), Number(buyIn.value))

  const isOpen = () => view?.round?.phase === 'betting' && view.status === 'open' && hooks.mayBet()
  async function send(order: () => Promise<TableView>): Promise<void> {
    if (isSending) return
    isSending = true
    await hooks.after(order())
    isSending = false
    refresh()
  }
  const sit = (chips: string | null) =>
    send(() => hooks.api.seat(info.tableId, { roundId: view?.round?.roundId ?? '', buyIn: chips }))
  const act = (does: string, to?: bigint) =>
    send(() =>
      hooks.api.turn(info.tableId, {
        roundId: view?.round?.roundId ?? '',
        action: view?.round?.actions ?? 0,
        does,
        ...(to === undefined ? {} : { to: textOf(to) }),
      }),
    )
  onClick(sitButton, () => void sit(textOf(chosenBuyIn())))
  onClick(leaveButton, () => {
    every.checked = false
    void sit(null)
  })
  buyIn.addEventListener('input', refresh)
  amount.addEventListener('input', refresh)

  function refresh(): void {
    const isIn = view?.mine !== null && view?.mine !== undefined
    const open = isOpen()
    set(sitBox, { hidden: view?.round?.phase !== 'betting' })
    set(sitButton, { hidden: isIn, disabled: !open || isSending })
    set(leaveButton, { hidden: !isIn, disabled: !open || isSending })
    set(buyIn, { hidden: isIn, disabled: !open, 'aria-valuetext': shown(textOf(chosenBuyIn())) })
    setText(sitButton, say(w.takeSeat, shown(textOf(chosenBuyIn()))))
    set(dock, { 'data-open': open ? '' : null })
    const may = view?.round?.choices ?? null
    set(turnBox, { hidden: may === null })
    const key = may === null ? '' : `${view?.round?.roundId}/${view?.round?.actions}`
    fill(turnBox, key, () => (may === null ? [] : turnButtons(may)))
    if (may) refreshRaise(may)
  }

  function turnButtons(may: ChoicesView): HTMLElement[] {
    const button = (name: string, text: string, work: () => void) =>
      onClick(h('button.action', { type: 'button', 'data-action': name }, text), work)
    const list = may.canCheck
      ? [button('check', w.check, () => void act('check'))]
      : [
          button('fold', w.fold, () => void act('fold')),
          button('call', say(w.call, shown(may.call ?? '0')), () => void act('call')),
        ]
    if (may.raiseFrom === null || may.raiseTo === null) return list
    amount.value = '0'
    const raiseButton = button('raise', '', () => void act('raise', raise))
    set(raiseButton, { 'data-ready': '' })
    return [...list, h('span.raise', {}, amount, raiseButton)]
  }

  function refreshRaise(may: ChoicesView): void {
    const raiseButton = turnBox.querySelector<HTMLElement>('[data-action=raise]')
    if (!raiseButton || may.raiseFrom === null || may.raiseTo === null) return
    raise = between(unitsOf(may.raiseFrom), unitsOf(may.raiseTo), Number(amount.value))
    const isAll = textOf(raise) === may.raiseTo
    const sentence = isAll
      ? w.allIn
      : may.canCheck && view?.round?.seats.every((seat) => seat.street === null)
        ? w.bet
        : w.raiseTo
    setText(raiseButton, say(sentence, shown(textOf(raise))))
    set(amount, { 'aria-valuetext': shown(textOf(raise)) })
  }

  add(zones)
  return {
    zones,
    dock,
    show(next) {
      view = next
      const id = next.round?.roundId ?? ''
      if (id !== round) {
        round = id
        if (every.checked && next.mine === null && isOpen()) void sit(textOf(chosenBuyIn()))
      }
      refresh()
    },
    key: () => false,
  }
}
