import type { Api } from './api.ts'
import { card } from './cards.ts'
import { add, h, onClick, set } from './dom.ts'
import { formatText, words } from './messages.ts'
import { shown } from './money.ts'
import { slipList } from './slips.ts'
import type { SlipView } from './views.ts'
import { fullZoneName } from './zones.ts'

/** The player's bets with their cards, legs and round, page by page. */
export class History {
  readonly #api: Api
  readonly #names: ReadonlyMap<string, string>
  readonly #fail: (error: unknown) => Promise<void>
  readonly #list = h('div')
  readonly #more: HTMLElement
  readonly element: HTMLElement
  #last = ''

  constructor(api: Api, names: ReadonlyMap<string, string>, fail: (error: unknown) => Promise<void>) {
    this.#api = api
    this.#names = names
    this.#fail = fail
    this.#more = onClick(
      h('button.action', { type: 'button', 'data-action': 'more', hidden: true }, words().more),
      () => void this.#next(),
    )
    this.element = h('div.history', {}, this.#list, this.#more)
  }

  /** Shows the latest page. */
  show({ slips, hasMore }: { slips: readonly SlipView[]; hasMore: boolean }): void {
    this.#list.replaceChildren()
    this.#put(slips, hasMore)
  }

  async #next(): Promise<void> {
    set(this.#more, { disabled: true })
    try {
      const { slips, hasMore } = await this.#api.slips(this.#last)
      this.#put(slips, hasMore)
    } catch (error) {
      await this.#fail(error)
    }
    set(this.#more, { disabled: false })
  }

  #put(slips: readonly SlipView[], hasMore: boolean): void {
    this.#last = slips.at(-1)?.slipId ?? this.#last
    const list = slipList(slips, this.#names)
    for (const [i, item] of [...list.querySelectorAll('li')].entries()) {
      const slip = slips[i]
      if (slip) add(item, detailsOf(slip))
    }
    add(this.#list, list)
    set(this.#more, { hidden: !hasMore })
  }
}

/** Returns the cards, the legs and the round of a slip, folded. */
function detailsOf(slip: SlipView): HTMLElement {
  const w = words()
  const legs = slip.legs.map(({ zone, amount, returned }) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, fullZoneName(slip.game, zone)),
      h('td', {}, shown(amount)),
      h('td', {}, returned === null ? '…' : shown(returned)),
    ),
  )
  const round = [
    slip.shoe === '' ? '' : formatText(slip.game === 'niuniu' ? w.session : w.shoe, slip.shoe),
    formatText(w.round, String(slip.round)),
  ]
  const head = [w.stake, w.returned].map((text) => h('th', { scope: 'col' }, formatText(text, '').trim()))
  return h(
    'details',
    {},
    h('summary', {}, w.details),
    h('p', {}, round.filter(Boolean).join(' · ')),
    slip.cards !== '' &&
      h(
        'div.dealt',
        {},
        ...groupsOf(slip.cards).map((codes) => h('span.hand', {}, ...codes.map((code) => card(code)))),
      ),
    h('table.legs-table', {}, h('thead', {}, h('tr', {}, h('td'), ...head)), h('tbody', {}, ...legs)),
    h('p.ids', {}, h('span', {}, `${formatText(w.round, '').trim()} ID `), h('code', {}, slip.roundId)),
    h('p.ids', {}, h('span', {}, `${w.slip} `), h('code', {}, slip.slipId)),
  )
}

/** Splits a card string into hands, without cards that were not dealt. */
function groupsOf(cards: string): string[][] {
  return cards
    .split('|')
    .map((group) => (group.match(/[2-9TJQKA][SHDC]/g) ?? []) as string[])
    .filter((group) => group.length > 0)
}
