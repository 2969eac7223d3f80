import { card, gap, hand, layHand } from './cards.ts'
import { fill, h, set } from './dom.ts'
import { handName, niuName, strings } from './messages.ts'
import type { RoundView, TableInfo, TableView } from './views.ts'

/** The middle of a table with its cards. */
export interface Felt {
  readonly element: HTMLElement
  show(view: TableView): void
}

/** Creates a spot for a hand with its name, its cards and their total. */
function spot(side: string, name: string) {
  const cards = h('div.cards')
  const points = h('span.points')
  const element = h('div.spot', { 'data-side': side }, h('h2', {}, name), cards, points)
  return { element, cards, points }
}

type Spot = ReturnType<typeof spot>

const pick = (round: RoundView | null, slots: readonly string[]) => slots.flatMap((slot) => round?.cards[slot] ?? [])

/** Shows the total after the last card of a deal. */
function showPoints({ points }: Spot, text: string | undefined, after: number): void {
  fill(points, text ?? '', () => [text !== undefined && h('b', { '--index': after }, text)])
}

export function baccaratFelt(): Felt {
  const { zones } = strings()
  const player = spot('player', zones['P'] ?? '')
  const banker = spot('banker', zones['B'] ?? '')
  const element = h('div.spots', {}, player.element, banker.element)
  // The deal alternates; third cards are last.
  const indexes = { player: [0, 2, 4], banker: [1, 3, 5] }
  const lay = (target: Spot, codes: readonly string[], order: readonly number[]) =>
    fill(target.cards, codes.join(), () =>
      codes.length === 0 ? [gap(), gap()] : codes.map((code, i) => card(code, order[i] ?? 0)),
    )
  return {
    element,
    show({ round }) {
      lay(player, pick(round, ['P1', 'P2', 'P3']), indexes.player)
      lay(banker, pick(round, ['B1', 'B2', 'B3']), indexes.banker)
      showPoints(player, round?.totals['P']?.toString(), 6)
      showPoints(banker, round?.totals['B']?.toString(), 6)
      mark(round, [
        [player, 'P'],
        [banker, 'B'],
      ])
    },
  }
}

export function dragonTigerFelt(): Felt {
  const { zones } = strings()
  const dragon = spot('dragon', zones['D'] ?? '')
  const tiger = spot('tiger', zones['TG'] ?? '')
  return {
    element: h('div.spots', {}, dragon.element, tiger.element),
    show({ round }) {
      for (const [target, slot, index] of [
        [dragon, 'D', 0],
        [tiger, 'TG', 1],
      ] as const) {
        const code = round?.cards[slot]
        fill(target.cards, code ?? '', () => [code === undefined ? gap() : card(code, index)])
      }
      mark(round, [
        [dragon, 'D'],
        [tiger, 'TG'],
      ])
    },
  }
}

/** Highlights the winner once the round is settled. */
function mark(round: RoundView | null, spots: readonly (readonly [Spot, string])[]): void {
  for (const [{ element }, zone] of spots) {
    const isSettled = round?.phase === 'result' && !round.isVoid && round.winners.length > 0
    const isTie = round?.winners.includes('T') ?? false
    set(element, { 'data-won': isSettled && (round.winners.includes(zone) || isTie) ? '' : null })
  }
}

export function niuFelt(): Felt {
  const w = strings()
  const hands = {
    B: spot('banker', w.zones['B'] ?? ''),
    P1: niuSpot('P1'),
    P2: niuSpot('P2'),
    P3: niuSpot('P3'),
  } as const
  const first = h('div.first', {}, h('h2', {}, w.firstCard), h('div.cards'))
  const firstCards = first.querySelector('div')
  function niuSpot(name: string) {
    return spot('player', w.zones[name] ?? '')
  }
  const slots = (name: string) => [1, 2, 3, 4, 5].map((no) => `${name}-${no}`)
  return {
    element: h('div.niu', {}, first, hands.B.element, hands.P1.element, hands.P2.element, hands.P3.element),
    show({ round }) {
      const turned = round?.cards['F']
      if (firstCards) fill(firstCards, turned ?? '', () => [turned === undefined ? gap() : card(turned, 0)])
      for (const [i, [name, target]] of Object.entries(hands).entries()) {
        const codes = pick(round, slots(name))
        const tens = round?.tens[name] ?? []
        fill(target.cards, codes.join(), () => {
          const cards = hand(codes, 1 + i * 3, 5)
          for (const index of tens) cards.children[index]?.setAttribute('data-ten', '')
          return [cards]
        })
        const rank = round?.totals[name]
        showPoints(target, rank === undefined ? undefined : niuName(rank), 3 + i * 3)
        const isSettled = round?.phase === 'result' && !round.isVoid
        set(target.element, { 'data-won': isSettled && name !== 'B' && round.winners.includes(name) ? '' : null })
        if (rank !== undefined) set(target.points, { 'data-rank': rank >= 10 ? 'high' : rank >= 7 ? 'good' : null })
      }
    },
  }
}

/** Hold'em against the dealer: the dealer at the top, the board in the middle, the player's own cards below. */
export function dealerFelt(info: TableInfo): Felt {
  const w = strings()
  const dealer = spot('banker', w.dealer)
  const board = spot('board', w.board)
  const mine = spot('player', w.you)
  const otherPlayers = h('ul.others')
  const legs = h('ul.legs')
  const element = h(
    'div.dealer-felt',
    {},
    dealer.element,
    otherPlayers,
    board.element,
    h('div.mine', {}, mine.element, legs),
  )
  return {
    element,
    show(view) {
      const { round, mine: slip } = view
      const isUp = round !== null && round.phase !== 'betting'
      layHand(dealer.cards, round?.dealer ?? [], 2)
      layHand(board.cards, round?.board ?? [], 5)
      const me = round?.seats.find((seat) => seat.isMe)
      layHand(mine.cards, me?.cards ?? [], 2)
      showPoints(dealer, handName(round?.dealerHand), 7)
      showPoints(mine, handName(me?.hand), 3)
      set(mine.element, { 'data-folded': slip?.hasFolded && isUp ? '' : null })
      const rest = round?.seats.filter((seat) => !seat.isMe) ?? []
      fill(
        otherPlayers,
        JSON.stringify(rest.map(({ seat, cards, hasFolded, hasDecided }) => [seat, cards, hasFolded, hasDecided])),
        () =>
          rest.map((seat) =>
            h(
              'li',
              { 'data-folded': seat.hasFolded ? '' : null },
              hand(seat.cards, 0, 2),
              h('small', {}, seat.hasFolded ? w.folded : seat.hasDecided ? w.decided : `${seat.seat}`),
            ),
          ),
      )
      const later = info.asks.map((ask) => ask.zone)
      fill(legs, JSON.stringify([slip?.bets, slip?.result?.returns]), () =>
        later.map((zone) =>
          h(
            'li',
            { 'data-on': slip?.bets[zone] === undefined ? null : '' },
            h('span', {}, w.zones[zone] ?? zone),
            h('b', {}, slip?.bets[zone] ?? '·'),
          ),
        ),
      )
    },
  }
}
