import { Refusal } from '../api.ts'
import { words } from '../messages.ts'
import { unitsOf } from '../money.ts'
import type { TableHooks } from '../table-parts.ts'
import type { TableInfo, TableView } from '../views.ts'
import type { BetDraft } from './bet-draft.ts'
import { faultOf, texts, total } from './bets.ts'

/**
 * Places the bets of the last round again in each following round until it is stopped. It is on in this page only: a page
 * that is loaded again never bets by itself. A round gets at most one order, which the server refuses if the player has
 * bets in the round already, so neither a lost answer nor a second window places anything twice.
 */
export class AutoRepeat {
  readonly #info: TableInfo
  readonly #hooks: TableHooks
  readonly #draft: BetDraft
  readonly #changed: () => void
  /** The round that was on when it was switched on, or that was handled last. */
  #round = ''
  isOn = false

  constructor(info: TableInfo, hooks: TableHooks, draft: BetDraft, changed: () => void) {
    this.#info = info
    this.#hooks = hooks
    this.#draft = draft
    this.#changed = changed
  }

  toggle(view: TableView | null): void {
    const hasBets = total(this.#draft.placed) > 0n || total(this.#draft.last.bets) > 0n
    if (this.isOn) this.stop(words().autoOff)
    else if (!view?.round || !hasBets || !this.#hooks.mayBet()) this.#hooks.tell(words().autoNeedsBets)
    else {
      this.isOn = true
      this.#round = view.round.roundId
      this.#hooks.tell(words().autoOn)
      this.#changed()
    }
  }

  stop(reason = ''): void {
    if (!this.isOn) return
    this.isOn = false
    if (reason !== '') this.#hooks.tell(reason)
    this.#changed()
  }

  /** Places the last bets when a new round is open, after a look at limits and balance. */
  async take(view: TableView, isOpen: boolean): Promise<void> {
    if (!this.isOn) return
    if (view.status !== 'open' || !this.#hooks.mayBet()) return this.stop(words().autoOff)
    const id = view.round?.roundId ?? ''
    if (!isOpen || id === this.#round) return
    this.#round = id
    if (view.mine !== null || this.#draft.isChanged) return
    const { bets, variant } = this.#draft.last
    const { api, after } = this.#hooks
    const order = { roundId: id, variant, bets: texts(bets), onlyFirst: true }
    const isDone = await after(this.#checked(bets, () => api.bet(this.#info.tableId, order)))
    if (isDone) return
    this.stop()
    // The answer may be lost and the bets placed: the page shows what the server has.
    await after(this.#viewNow())
  }

  async #viewNow(): Promise<TableView> {
    return (await this.#hooks.api.table(this.#info.tableId)).view
  }

  /** Sends the order if limits and balance still allow it, and the player has not stopped it. */
  async #checked(bets: BetDraft['bets'], send: () => Promise<TableView>): Promise<TableView> {
    const { info, view } = await this.#hooks.api.table(this.#info.tableId)
    const { min, max } = this.#info
    if (info.min !== min || info.max !== max) throw new Refusal('LIMITS_CHANGED', '', { min: info.min, max: info.max })
    const fault = faultOf(info, bets, unitsOf(view.balance))
    if (fault) throw new Refusal(fault, '', { min, max })
    if (!this.isOn || view.mine !== null) return view
    return send().catch((error) => {
      if (error instanceof Refusal && error.code === 'ALREADY_PLACED') return this.#viewNow()
      throw error
    })
  }
}
