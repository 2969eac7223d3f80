import { base } from './base.ts'
import { timer } from './clock.ts'
import { fill, h, set, setText } from './dom.ts'
import { formatText, strings } from './messages.ts'
import { shown } from './money.ts'
import { roadOf, tally } from './roads/beads.ts'
import type { LobbyPush, LobbyTable, LobbyView, TableInfo } from './views.ts'

export interface Lobby {
  readonly element: HTMLElement
  show(view: LobbyView): void
  move(push: LobbyPush): void
  /** Adds a table that was entered without being in the lobby. */
  learn(table: Pick<TableInfo, 'tableId' | 'name'>): void
  readonly names: ReadonlyMap<string, string>
}

/** Tables available to the player, with their current state. */
export function lobby(onEnter: (tableId: string) => void): Lobby {
  const names = new Map<string, string>()
  const tiles = new Map<string, Tile>()
  const list = h('ul.tiles')
  const none = h('p.none', { hidden: true }, strings().noTables)
  const element = h('main.lobby', { id: 'main' }, h('h1', {}, strings().lobby), none, list)

  return {
    element,
    names,
    learn: ({ tableId, name }) => void names.set(tableId, name),
    show({ tables }) {
      set(none, { hidden: tables.length > 0 })
      const ids = tables.map(({ info }) => info.tableId)
      fill(list, ids.join(), () => {
        tiles.clear()
        return tables.map((table) => {
          names.set(table.info.tableId, table.info.name)
          const tile = new Tile(table, onEnter)
          tiles.set(table.info.tableId, tile)
          return tile.item
        })
      })
      for (const table of tables) tiles.get(table.info.tableId)?.update(table)
    },
    move({ rows }) {
      for (const { tableId, ...change } of rows) tiles.get(tableId)?.update(change)
    },
  }
}

/** A table in the lobby. */
class Tile {
  #table: LobbyTable
  readonly #clock = timer()
  readonly #status = h('span.status')
  readonly #road = h('div.road')
  readonly #link: HTMLElement
  readonly item: HTMLElement

  constructor(table: LobbyTable, onEnter: (tableId: string) => void) {
    this.#table = table
    const { tableId, game, name, min, max } = table.info
    const limits = min !== null && max !== null ? formatText(strings().limits, shown(min), shown(max)) : ''
    this.#link = h(
      'a.tile',
      { href: `${base}/play/t/${encodeURIComponent(tableId)}`, 'data-table': tableId, 'data-game': game },
      h('span.head', {}, h('b', {}, name), h('small', {}, tableId)),
      this.#road,
      h('span.foot', {}, h('span.limits', {}, limits), this.#status, this.#clock.element),
    )
    this.#link.addEventListener('click', (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      onEnter(tableId)
    })
    this.item = h('li', {}, this.#link)
    this.#refresh()
  }

  update(change: Partial<LobbyTable>): void {
    this.#table = { ...this.#table, ...change }
    this.#refresh()
  }

  #refresh(): void {
    const w = strings()
    const { info, status, phase, dueAt, road } = this.#table
    const isOut = status === 'maintenance'
    const isBetting = phase === 'betting'
    set(this.#link, { 'data-phase': isOut ? 'out' : phase })
    setText(this.#status, isOut ? w.maintenance : isBetting ? w.placeBets : phase === 'idle' ? '' : w.noMoreBets)
    this.#clock.show(isBetting ? dueAt : null, info.betSeconds * 1000, isBetting ? 'bet' : 'wait')
    fill(this.#road, JSON.stringify(road), () => [
      roadOf(info.game, road, 12) ?? emblem(info.variants[0] ?? ''),
      tally(info.game, road),
    ])
  }
}

/** Returns the emblem of a Hold'em table, which has no road: a hand of cards. */
function emblem(variant: string): HTMLElement {
  const cards = { casino: 'A♠ A♥', thbp: 'A♠ K♠', nlhe: 'K♦ Q♣' }[variant] ?? ''
  return h(
    'span.emblem',
    { 'aria-hidden': 'true' },
    ...cards.split(' ').map((card) => h('i', { 'data-red': /[♥♦]/.test(card) ? '' : null }, `${card}\uFE0E`)),
  )
}
