import { BettingPanel } from './betting/betting-panel.ts'
import { timer } from './clock.ts'
import { decisionPrompt } from './decision-prompt.ts'
import { add, fill, h, set, setText } from './dom.ts'
import { slipItem } from './history/slips.ts'
import { formatText, strings } from './messages.ts'
import { unitsOf } from './money.ts'
import { payTable } from './paytable.ts'
import { hasRoads, roadOf } from './roads/beads.ts'
import { roadsPanel } from './roads/roads-panel.ts'
import { Seating } from './seats/seating.ts'
import { seatsFelt } from './seats/seats-felt.ts'
import { play } from './session/sound.ts'
import { baccaratFelt, dealerFelt, dragonTigerFelt, type Felt, niuFelt } from './table-layouts.ts'
import type { Betting, TableCallbacks } from './table-parts.ts'
import { outcomeText, TableStatusText } from './table-status-text.ts'
import type { OpenTableInfo, SlipView, TableView } from './views.ts'

function feltOf(info: OpenTableInfo): Felt {
  if (info.game === 'baccarat') return baccaratFelt()
  if (info.game === 'dragontiger') return dragonTigerFelt()
  if (info.game === 'niuniu') return niuFelt()
  return info.blinds ? seatsFelt() : dealerFelt(info)
}

/** A table: its cards, what can be bet on it, its results, and the player's own bets. */
export class TableScreen {
  readonly info: OpenTableInfo
  readonly #announce: (text: string) => void
  readonly #statusText: TableStatusText
  readonly #felt: Felt
  readonly #bets: Betting
  readonly #prompt: ReturnType<typeof decisionPrompt> | null
  readonly #clock = timer()
  readonly #status = h('p.status')
  readonly #outcome = h('p.outcome', { 'aria-hidden': 'true' })
  readonly #meta = h('p.meta')
  readonly #road = h('div.roads')
  readonly #slips = h('div.my-slips')
  readonly element: HTMLElement
  #announced = ''
  /** The last round with a win, whose sound is played once. */
  #wonIn = ''

  /** `announce` tells a player who does not see the table. */
  constructor(info: OpenTableInfo, callbacks: TableCallbacks, announce: (text: string) => void) {
    this.info = info
    this.#announce = announce
    this.#statusText = new TableStatusText(info, callbacks.mayBet)
    this.#felt = feltOf(info)
    this.#bets = info.blinds ? new Seating(info, callbacks) : new BettingPanel(info, callbacks)
    this.#prompt = info.game === 'holdem' && !info.blinds ? decisionPrompt(info, callbacks) : null
    if (this.#prompt) add(this.#bets.dock, this.#prompt.element)
    const header = h('header.sign', {}, this.#clock.element, this.#status, this.#outcome, this.#meta)
    this.element = h(
      'main.table',
      { id: 'main', 'data-game': info.game, 'data-variant': info.blinds ? 'nlhe' : (info.variants[0] ?? '') },
      h('h1.hidden', {}, info.name),
      h('section.felt', {}, h('div.felt-content', {}, header, this.#felt.element, this.#bets.zones)),
      this.#side(),
      this.#bets.dock,
    )
  }

  show(view: TableView): void {
    const { round } = view
    const kind = !round ? 'wait' : round.phase === 'betting' ? 'bet' : round.phase === 'deciding' ? 'decide' : 'wait'
    this.#clock.show(round?.dueAt ?? null, round?.totalMs ?? 1, kind)
    set(this.element, { 'data-phase': round?.phase ?? 'idle', 'data-out': view.status === 'maintenance' ? '' : null })
    setText(this.#status, this.#statusText.statusOf(view))
    setText(this.#meta, this.#statusText.metaOf(round))
    this.#felt.show(view)
    this.#bets.show(view)
    this.#prompt?.show(view)
    set(this.#bets.dock, { 'data-asks': this.#prompt && !this.#prompt.element.hidden ? '' : null })
    this.#showOutcome(view)
    if (view.road) this.#showRoad(view.road)
    const news = this.#statusText.newsOf(view)
    if (news !== this.#announced) this.#announce(news)
    this.#announced = news
  }

  showSlips(list: readonly SlipView[]): void {
    const w = strings()
    const { tableId } = this.info
    const mine = list.filter((slip) => slip.tableId === tableId).slice(0, 8)
    const line = (slip: SlipView) => slipItem(slip, formatText(w.round, String(slip.round)))
    fill(this.#slips, JSON.stringify(mine), () => [
      mine.length === 0 ? h('p.none', {}, w.noBetsYet) : h('ol.slips', {}, ...mine.map(line)),
    ])
  }

  key(event: KeyboardEvent): void {
    this.#bets.key(event)
  }

  /** The table is left: nothing is sent for it any more. */
  close(): void {
    this.#bets.close()
  }

  #side(): HTMLElement {
    const w = strings()
    const pays = payTable(this.info)
    const parts = [this.info.game === 'holdem' ? '' : w.road, w.myBets].filter(Boolean)
    return h(
      'aside.side',
      // On large screens it scrolls, also with the keyboard.
      { tabindex: 0, 'aria-label': parts.join(' · ') },
      this.info.game === 'holdem' ? null : h('section', {}, h('h2', {}, w.road), this.#road),
      pays ? h('section.paybox', {}, pays) : null,
      h('section', {}, h('h2', {}, w.myBets), this.#slips),
    )
  }

  #showRoad(results: NonNullable<TableView['road']>): void {
    const { game } = this.info
    fill(this.#road, JSON.stringify(results), () =>
      hasRoads(game) ? roadsPanel(game, results) : [roadOf(game, results, 12)],
    )
  }

  #showOutcome({ round, mine }: TableView): void {
    const result = round?.phase === 'result' ? (mine?.result ?? null) : null
    const isVoid = round?.isVoid ?? false
    const worth = result ? unitsOf(result.winLoss) : 0n
    const kind = isVoid ? 'even' : worth > 0n ? 'won' : worth < 0n ? 'lost' : 'even'
    if (result && kind === 'won' && this.#wonIn !== round?.roundId) {
      this.#wonIn = round?.roundId ?? ''
      play('won')
    }
    set(this.#outcome, { 'data-kind': result ? kind : null })
    fill(this.#outcome, JSON.stringify(result), () => {
      if (!result) return []
      const code = strings().codes[result.code]
      return [
        code !== undefined && this.info.game === 'holdem' && h('span', {}, code),
        h('b', {}, outcomeText(result.winLoss, isVoid)),
      ]
    })
  }
}
