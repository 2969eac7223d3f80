import type { Api } from '../api.ts'
import { card } from '../cards.ts'
import { add, h, onClick, set } from '../dom.ts'
import { formatText, strings } from '../messages.ts'
import { shown } from '../money.ts'
import type { SlipView } from '../views.ts'
import { fullZoneName } from '../zones.ts'
import { slipItem } from './slips.ts'

interface Page {
  readonly slips: readonly SlipView[]
  readonly hasMore: boolean
}

/** The player's bets with their cards, legs and round, page by page. */
export class History {
  readonly #api: Api
  readonly #names: ReadonlyMap<string, string>
  readonly #fail: (error: unknown) => Promise<void>
  readonly #list = h('ol.slips')
  readonly #none = h('p.none', {}, strings().noBetsYet)
  readonly #more: HTMLElement
  readonly element: HTMLElement
  /** Slips on display, newest first, and their elements. */
  #slips: readonly SlipView[] = []
  #items = new Map<string, { readonly content: string; readonly element: HTMLElement }>()
  #hasMore = false

  constructor(api: Api, names: ReadonlyMap<string, string>, fail: (error: unknown) => Promise<void>) {
    this.#api = api
    this.#names = names
    this.#fail = fail
    this.#more = onClick(
      h('button.action', { type: 'button', 'data-action': 'more', hidden: true }, strings().more),
      () => void this.#next(),
    )
    this.element = h('div.history', {}, this.#none, this.#list, this.#more)
  }

  /** Shows the latest page. Earlier pages that continue it stay. */
  show({ slips, hasMore }: Page): void {
    const end = this.#slips.findIndex(({ slipId }) => slipId === slips.at(-1)?.slipId)
    const earlier = end < 0 ? [] : this.#slips.slice(end + 1)
    if (earlier.length === 0) this.#hasMore = hasMore
    this.#slips = [...slips, ...earlier]
    this.#refresh()
  }

  async #next(): Promise<void> {
    const last = this.#slips.at(-1)?.slipId
    if (last === undefined) return
    set(this.#more, { disabled: true })
    try {
      const { slips, hasMore } = await this.#api.slips(last)
      // The list may have been replaced since: the answer continues another one.
      if (this.#slips.at(-1)?.slipId === last) {
        this.#slips = [...this.#slips, ...slips]
        this.#hasMore = hasMore
        this.#refresh()
      }
    } catch (error) {
      await this.#fail(error)
    }
    set(this.#more, { disabled: false })
  }

  /** Unchanged slips keep their elements, and open details stay open. */
  #refresh(): void {
    const items = new Map(
      this.#slips.map((slip) => {
        const before = this.#items.get(slip.slipId)
        const content = JSON.stringify([slip, this.#names.get(slip.tableId)])
        if (before?.content === content) return [slip.slipId, before] as const
        const details = detailsOf(slip)
        details.open = before?.element.querySelector('details')?.open ?? false
        const element = slipItem(slip, this.#names.get(slip.tableId) ?? slip.tableId)
        add(element, details)
        return [slip.slipId, { content, element }] as const
      }),
    )
    const elements = [...items.values()].map(({ element }) => element)
    const isKept = new Set<Element>(elements)
    for (const element of [...this.#list.children]) if (!isKept.has(element)) element.remove()
    for (const [i, element] of elements.entries())
      if (this.#list.children[i] !== element) this.#list.insertBefore(element, this.#list.children[i] ?? null)
    this.#items = items
    set(this.#none, { hidden: elements.length > 0 })
    set(this.#more, { hidden: !this.#hasMore })
  }
}

/** Returns the cards, the legs and the round of a slip, folded. */
function detailsOf(slip: SlipView): HTMLDetailsElement {
  const w = strings()
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
