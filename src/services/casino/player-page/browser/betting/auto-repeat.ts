import { Refusal } from '../api.ts'
import { formatText, strings } from '../messages.ts'
import { shown, textOf } from '../money.ts'
import { isUnattended, mayPlaceAutomatically } from '../session/activity.ts'
import type { TableCallbacks } from '../table-parts.ts'
import type { TableInfo, TableView } from '../views.ts'
import type { BetDraft } from './bet-draft.ts'
import { type Bets, texts, total } from './bets.ts'

/**
 * Places the same bets again in each following round until it is stopped. It is on in this page only: a page that is
 * loaded again never bets by itself. A round gets at most one request. The server refuses it if the player already has
 * bets in the round, so neither a lost response nor a second window places anything twice.
 */
export class AutoRepeat {
  readonly #info: TableInfo
  readonly #callbacks: TableCallbacks
  readonly #draft: BetDraft
  readonly #changed: () => void
  /** Bets that it repeats: chosen when it was switched on, and not changed by what is placed later. */
  #request: { readonly bets: Bets; readonly variant: string } | null = null
  /** The round that was on when it was switched on, or that was handled last. */
  #round = ''
  #isClosed = false
  /** True while a request is in flight: the player changes nothing until its response is shown. */
  isSending = false

  constructor(info: TableInfo, callbacks: TableCallbacks, draft: BetDraft, changed: () => void) {
    this.#info = info
    this.#callbacks = callbacks
    this.#draft = draft
    this.#changed = changed
  }

  get isOn(): boolean {
    return this.#request !== null
  }

  toggle(view: TableView | null): void {
    if (this.isOn) this.stop(strings().autoOff)
    else this.#start(view?.round?.roundId)
  }

  stop(reason = ''): void {
    if (!this.isOn) return
    this.#request = null
    if (reason !== '') this.#callbacks.tell(reason)
    this.#changed()
  }

  /** The table is left: nothing is sent any more, also not after an answer that is on its way. */
  close(): void {
    this.#isClosed = true
    this.stop()
  }

  /** Places the bets once when a new round is open. The server checks limits, balance and earlier bets. */
  async take(view: TableView, isOpen: boolean): Promise<void> {
    const input = this.#request
    if (!input) return
    if (view.status !== 'open' || !this.#callbacks.mayBet() || isUnattended()) return this.stop(strings().autoOff)
    const id = view.round?.roundId ?? ''
    if (!isOpen || this.isSending || id === this.#round) return
    this.#round = id
    if (view.mine !== null || this.#draft.isChanged || !mayPlaceAutomatically()) return
    this.isSending = true
    this.#changed()
    const isPlaced = await this.#callbacks.after(this.#place(id, input), strings().autoOff)
    if (!isPlaced) this.stop()
    this.isSending = false
    this.#changed()
    const placed = total(this.#draft.placed)
    if (isPlaced && placed > 0n) this.#callbacks.tell(formatText(strings().placed, shown(textOf(placed))))
  }

  #start(roundId: string | undefined): void {
    const { placed, variant, last, isChanged } = this.#draft
    const input = total(placed) > 0n ? { bets: placed, variant } : last
    const amount = total(input.bets)
    if (roundId === undefined || isChanged || amount === 0n || !this.#callbacks.mayBet()) {
      this.#callbacks.tell(strings().autoNeedsBets)
      return
    }
    this.#request = input
    this.#round = roundId
    this.#callbacks.tell(formatText(strings().autoOn, shown(textOf(amount))))
    this.#changed()
  }

  /** Sends the request. If bets are placed in the round already, they stay, and the page shows them. */
  async #place(roundId: string, { bets, variant }: { bets: Bets; variant: string }): Promise<TableView> {
    const { api } = this.#callbacks
    const { tableId } = this.#info
    try {
      return await api.bet(tableId, { roundId, variant, bets: texts(bets), onlyFirst: true })
    } catch (error) {
      const isPlaced = error instanceof Refusal && error.code === 'ALREADY_PLACED'
      if (isPlaced && !this.#isClosed) return (await api.table(tableId)).view
      throw error
    }
  }
}
