import { fill, h } from './dom.ts'

const suits: Readonly<Record<string, readonly [symbol: string, name: string]>> = {
  S: ['♠', 'spade'],
  H: ['♥', 'heart'],
  D: ['♦', 'diamond'],
  C: ['♣', 'club'],
}

/** Returns a card element; `??` is a face-down card. `index` is its turn in the deal. */
export function card(code: string, index = 0): HTMLElement {
  if (code === '??') return h('span.card.back', { role: 'img', 'aria-label': '?', '--index': index })
  const rank = code.charAt(0) === 'T' ? '10' : code.charAt(0)
  const [symbol = '', name = ''] = suits[code.charAt(1)] ?? []
  return h(
    'span.card',
    { 'data-suit': name, 'data-card': code, role: 'img', 'aria-label': `${rank}${symbol}`, '--index': index },
    h('span.rank', { 'aria-hidden': 'true' }, rank),
    h('span.suit', { 'aria-hidden': 'true' }, `${symbol}\uFE0E`),
  )
}

/** Returns an empty card slot. */
export function gap(): HTMLElement {
  return h('span.card.gap', { 'aria-hidden': 'true' })
}

export function hand(codes: readonly string[], from = 0, size = codes.length): HTMLElement {
  const cards = codes.map((code, i) => card(code, from + i))
  while (cards.length < size) cards.push(gap())
  return h('span.hand', {}, ...cards)
}

/** Renders a hand. Cards already on the table stay; only new ones are animated. */
export function layHand(box: HTMLElement, codes: readonly string[], size: number): void {
  const before = (box.dataset['key'] ?? '').split(',')
  fill(box, codes.join(), () => {
    const cards = hand(codes, 0, size)
    for (const [i, each] of [...cards.children].entries()) each.classList.toggle('still', codes[i] === before[i])
    return [cards]
  })
}
