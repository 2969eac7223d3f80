import { base } from './base.ts'
import { timer } from './clock.ts'
import { fill, h, onClick, set, setText } from './dom.ts'
import { say, words } from './messages.ts'
import { shown } from './money.ts'
import { roadOf, tally } from './roads.ts'
import type { LobbyPush, LobbyTable, LobbyView, TableInfo } from './views.ts'

export interface Lobby {
  readonly element: HTMLElement
  show(view: LobbyView): void
  move(push: LobbyPush): void
  /** A table that is entered without having been seen in the lobby. */
  learn(table: Pick<TableInfo, 'tableId' | 'name'>): void
  readonly names: ReadonlyMap<string, string>
}

/** The tables that are open to the player, each with what it is doing at the moment. */
export function lobby(onEnter: (tableId: string) => void): Lobby {
  const w = words()
  const names = new Map<string, string>()
  const tiles = new Map<string, ReturnType<typeof tile>>()
  const list = h('ul.tiles')
  const none = h('p.none', { hidden: true }, w.noTables)
  const element = h('main.lobby', { id: 'main' }, h('h1', {}, w.lobby), none, list)

  function tile(first: LobbyTable) {
    const { info } = first
    let table = first
    const clock = timer()
    const status = h('span.status')
    const road = h('div.road')
    const link = h(
      'a.tile',
      {
        href: `${base}/play/t/${encodeURIComponent(info.tableId)}`,
        'data-table': info.tableId,
        'data-game': info.game,
      },
      h('span.head', {}, h('b', {}, info.name), h('small', {}, info.tableId)),
      road,
      h(
        'span.foot',
        {},
        h(
          'span.limits',
          {},
          info.min !== null && info.max !== null ? say(w.limits, shown(info.min), shown(info.max)) : '',
        ),
        status,
        clock.element,
      ),
    )
    onClick(link, () => undefined)
    link.addEventListener('click', (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      onEnter(info.tableId)
    })
    const refresh = () => {
      const isOut = table.status === 'maintenance'
      const isBetting = table.phase === 'betting'
      set(link, { 'data-phase': isOut ? 'out' : table.phase })
      setText(status, isOut ? w.maintenance : isBetting ? w.placeBets : table.phase === 'idle' ? '' : w.noMoreBets)
      clock.show(isBetting ? table.dueAt : null, info.betSeconds * 1000, isBetting ? 'bet' : 'wait')
      fill(road, JSON.stringify(table.road), () => [
        roadOf(info.game, table.road, 12) ?? emblem(info.variants[0] ?? ''),
        tally(info.game, table.road),
      ])
    }
    refresh()
    return {
      item: h('li', {}, link),
      update(change: Partial<LobbyTable>) {
        table = { ...table, ...change }
        refresh()
      },
    }
  }

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
          const made = tile(table)
          tiles.set(table.info.tableId, made)
          return made.item
        })
      })
      for (const table of tables) tiles.get(table.info.tableId)?.update(table)
    },
    move({ rows }) {
      for (const { tableId, ...change } of rows) tiles.get(tableId)?.update(change)
    },
  }
}

/** Hold'em has no road; a hand of cards stands for it. */
function emblem(variant: string): HTMLElement {
  const cards = { casino: 'A♠ A♥', thbp: 'A♠ K♠', nlhe: 'K♦ Q♣' }[variant] ?? ''
  return h(
    'span.emblem',
    { 'aria-hidden': 'true' },
    ...cards.split(' ').map((card) => h('i', { 'data-red': /[♥♦]/.test(card) ? '' : null }, `${card}\uFE0E`)),
  )
}
