import type { Api } from './api.ts'
import { type Betting, betting, type Hooks } from './bets.ts'
import { timer } from './clock.ts'
import { asking } from './decision-prompt.ts'
import { add, fill, h, set, setText } from './dom.ts'
import { niuName, say, words } from './messages.ts'
import { shown, unitsOf } from './money.ts'
import { seating, seatsFelt } from './nolimit.ts'
import { payTable } from './paytable.ts'
import { bigRoad, roadOf, tally } from './roads.ts'
import { slipList } from './slips.ts'
import { baccaratFelt, dealerFelt, dragonTigerFelt, type Felt, niuFelt } from './table-layouts.ts'
import type { RoundView, SlipView, TableInfo, TableView } from './views.ts'

export interface TableScreen {
  readonly element: HTMLElement
  show(view: TableView): void
  showSlips(slips: readonly SlipView[]): void
  key(event: KeyboardEvent): void
}

function feltOf(info: TableInfo): Felt {
  if (info.game === 'baccarat') return baccaratFelt()
  if (info.game === 'dragontiger') return dragonTigerFelt()
  if (info.game === 'niuniu') return niuFelt()
  return info.blinds ? seatsFelt() : dealerFelt(info)
}

/** A table: its cards, what can be bet on it, what it has come to, and what the player had in it. */
export function tableScreen(info: TableInfo, hooks: Hooks, announce: (text: string) => void): TableScreen {
  const w = words()
  const felt = feltOf(info)
  const bets: Betting = info.blinds ? seating(info, hooks) : betting(info, hooks)
  const asks = info.game === 'holdem' && !info.blinds ? asking(info, hooks) : null
  const clock = timer()
  const status = h('p.status')
  const outcome = h('p.outcome', { 'aria-hidden': 'true' })
  const meta = h('p.meta')
  const road = h('div.roads')
  const slips = h('div.my-slips')
  const pays = payTable(info)
  if (asks) add(bets.dock, asks.element)
  const element = h(
    'main.table',
    { id: 'main', 'data-game': info.game, 'data-variant': info.blinds ? 'nlhe' : (info.variants[0] ?? '') },
    h('h1.hidden', {}, info.name),
    h('section.felt', {}, h('header.sign', {}, clock.element, status, outcome, meta), felt.element, bets.zones),
    h(
      'aside.side',
      {},
      info.game === 'holdem' ? null : h('section', {}, h('h2', {}, w.road), road),
      pays ? h('section.paybox', {}, pays) : null,
      h('section', {}, h('h2', {}, w.myBets), slips),
    ),
    bets.dock,
  )
  let road0: TableView['road'] = []
  let said = ''

  function show(view: TableView): void {
    const { round } = view
    const kind = !round ? 'wait' : round.phase === 'betting' ? 'bet' : round.phase === 'deciding' ? 'decide' : 'wait'
    clock.show(round?.dueAt ?? null, round?.totalMs ?? 1, kind)
    set(element, { 'data-phase': round?.phase ?? 'idle', 'data-out': view.status === 'maintenance' ? '' : null })
    setText(status, statusOf(view))
    setText(meta, metaOf(round))
    felt.show(view)
    bets.show(view)
    asks?.show(view)
    set(bets.dock, { 'data-asks': asks && !asks.element.hidden ? '' : null })
    showOutcome(view)
    if (view.road) {
      road0 = view.road
      const items = road0
      fill(road, JSON.stringify(items), () => [
        tally(info.game, items),
        roadOf(info.game, items, 12),
        bigRoad(info.game, items, 24),
      ])
    }
    const news = newsOf(view)
    if (news !== said) {
      said = news
      announce(news)
    }
  }

  /** Which round it is, and where blinds are posted how high they are. */
  function metaOf(round: RoundView | null): string {
    if (!round) return ''
    const run = round.shoe === '' ? '' : say(info.game === 'niuniu' ? w.session : w.shoe, round.shoe)
    const blinds = info.blinds ? `${shown(info.blinds.small)} / ${shown(info.blinds.big)}` : ''
    return [blinds, run, say(w.round, String(round.no))].filter(Boolean).join(' · ')
  }

  function statusOf({ round, status: of, mine }: TableView): string {
    if (!round || round.phase === 'idle') return of === 'maintenance' ? w.maintenance : w.waiting
    if (round.phase === 'betting') return bettingWords(mine !== null)
    if (round.phase === 'deciding' && (round.choices || (asks && mine && !mine.hasDecided && !mine.hasFolded)))
      return w.yourTurn
    if (round.phase === 'result') return round.isVoid ? voidedWords(mine !== null) : (resultOf(round) ?? w.waiting)
    return w.noMoreBets
  }

  /** What a player can do before the cards: bet, or take a seat; who has one waits for the hand. */
  function bettingWords(isIn: boolean): string {
    if (!hooks.mayBet()) return w.bettingOpen
    if (!info.blinds) return w.placeBets
    return isIn ? w.waiting : w.seatsOpen
  }

  /** Whoever had bet reads beside it that the stakes came back. */
  function voidedWords(isIn: boolean): string {
    return isIn ? (w.codes['void'] ?? w.voided) : w.voided
  }

  /** Who has won, in a sentence. */
  function resultOf(round: RoundView): string | null {
    const { winners, totals } = round
    const [winner] = winners
    const rank = totals['B']
    if (info.game === 'niuniu') return rank === undefined ? null : `${w.zones['B']}: ${niuName(rank)}`
    if (winner === undefined) return null
    const points = info.game === 'baccarat' ? ` ${totals['P']} : ${totals['B']}` : ''
    return winner === 'T' ? `${w.zones['T']}${points}` : `${say(w.wins, w.zones[winner] ?? '')}${points}`
  }

  /** What the player has won or lost. */
  function showOutcome({ round, mine }: TableView): void {
    const result = round?.phase === 'result' ? (mine?.result ?? null) : null
    const worth = result ? unitsOf(result.winLoss) : 0n
    set(outcome, {
      'data-kind': !result ? null : round?.isVoid ? 'even' : worth > 0n ? 'won' : worth < 0n ? 'lost' : 'even',
    })
    fill(outcome, JSON.stringify(result), () => {
      if (!result) return []
      const code = w.codes[result.code]
      return [
        code !== undefined && info.game === 'holdem' && h('span', {}, code),
        h('b', {}, worthOf(result.winLoss, round?.isVoid ?? false)),
      ]
    })
  }

  function worthOf(winLoss: string, isVoid: boolean): string {
    if (isVoid) return w.voided
    if (unitsOf(winLoss) === 0n) return w.pushed
    return winLoss.startsWith('-') ? say(w.lost, shown(winLoss.slice(1))) : say(w.won, shown(winLoss))
  }

  /** What a player who does not see the table should hear. */
  function newsOf(view: TableView): string {
    const result = view.round?.phase === 'result' ? view.mine?.result : null
    return [statusOf(view), result ? worthOf(result.winLoss, view.round?.isVoid ?? false) : '']
      .filter(Boolean)
      .join('. ')
  }

  return {
    element,
    show,
    showSlips(list) {
      const mine = list.filter((slip) => slip.tableId === info.tableId).slice(0, 8)
      fill(slips, JSON.stringify(mine), () => [slipList(mine, new Map([[info.tableId, say(w.round, '')]]))])
      // The head of each line names the round: the table is known here.
      for (const [i, line] of [...slips.querySelectorAll('li b')].entries())
        setText(line, say(w.round, String(mine[i]?.round ?? '')))
    },
    key: (event) => void bets.key(event),
  }
}

export type { Api }
