import { formatText, words } from '../messages.ts'
import { chipsFor, shown, sum, unitsOf } from '../money.ts'
import type { Betting, TableHooks } from '../table-parts.ts'
import type { TableInfo, TableView } from '../views.ts'
import { BetDock } from './bet-dock.ts'
import { BetDraft } from './bet-draft.ts'
import { type Bets, texts } from './bets.ts'
import { ZoneBoard } from './zone-board.ts'

/** The zones and the chips of a table at which players bet against the house. */
export class BettingPanel implements Betting {
  readonly #info: TableInfo
  readonly #hooks: TableHooks
  readonly #draft: BetDraft
  readonly #chips: readonly string[]
  readonly #board: ZoneBoard
  readonly #dock: BetDock
  #view: TableView | null = null
  #isSending = false

  constructor(info: TableInfo, hooks: TableHooks) {
    this.#info = info
    this.#hooks = hooks
    this.#draft = new BetDraft(info)
    this.#chips = chipsFor(info.min, info.max)
    const draft = this.#draft
    this.#board = new ZoneBoard(info, this.#chips, {
      lay: (zone) => this.#change(() => draft.add(zone, unitsOf(this.#dock.chip))),
      clear: (zone) => this.#put({ ...draft.bets, [zone]: 0n }),
      choose: (variant) => {
        draft.choose(variant)
        this.#refresh()
      },
    })
    this.#dock = new BetDock(info, this.#chips, {
      undo: () => this.#undo(),
      clear: () => this.#put({}),
      repeat: () => this.#change(() => draft.repeat()),
      double: () => this.#change(() => draft.double()),
      confirm: () => void this.#send(),
    })
  }

  get zones(): HTMLElement {
    return this.#board.element
  }

  get dock(): HTMLElement {
    return this.#dock.element
  }

  show(view: TableView): void {
    this.#view = view
    if (this.#draft.take(view)) this.#hooks.tell(words().unconfirmed)
    this.#refresh()
  }

  /** Chooses a chip by its number. */
  key(event: KeyboardEvent): boolean {
    const place = Number(event.key) - 1
    const isChip = place >= 0 && place < this.#chips.length
    if (isChip) this.#dock.choose(place)
    return isChip
  }

  get #isOpen(): boolean {
    return this.#view?.round?.phase === 'betting' && this.#view.status === 'open' && this.#hooks.mayBet()
  }

  #put(bets: Bets): void {
    this.#change(() => this.#draft.put(bets))
  }

  #change(change: () => void): void {
    if (!this.#isOpen || this.#isSending) return
    change()
    this.#refresh()
  }

  #undo(): void {
    if (!this.#draft.canUndo || !this.#isOpen) return
    this.#draft.undo()
    this.#refresh()
  }

  async #send(): Promise<void> {
    const draft = this.#draft
    if (!this.#view?.round || !this.#isOpen || this.#isSending || !draft.isChanged) return
    this.#isSending = true
    this.#refresh()
    const order = { roundId: this.#view.round.roundId, variant: draft.variant, bets: texts(draft.bets) }
    const isDone = await this.#hooks.after(this.#hooks.api.bet(this.#info.tableId, order))
    this.#isSending = false
    if (isDone) {
      draft.forgetSteps()
      if (Object.keys(order.bets).length > 0)
        this.#hooks.tell(formatText(words().placed, shown(sum(Object.values(order.bets)))))
    }
    this.#refresh()
  }

  #refresh(): void {
    this.#board.refresh(this.#draft, this.#view, this.#isOpen)
    this.#dock.refresh(this.#draft, this.#view, { isOpen: this.#isOpen, isSending: this.#isSending })
  }
}
