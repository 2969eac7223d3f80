import { leftMs } from '../clock.ts'
import { formatText, strings } from '../messages.ts'
import { chipsFor, shown, sum, unitsOf } from '../money.ts'
import { mayPlaceAutomatically } from '../session/activity.ts'
import { play } from '../session/sound.ts'
import { setting } from '../settings.ts'
import type { Betting, TableCallbacks } from '../table-parts.ts'
import type { OpenTableInfo, TableView } from '../views.ts'
import { AutoRepeat } from './auto-repeat.ts'
import { BetDock } from './bet-dock.ts'
import { BetDraft } from './bet-draft.ts'
import { type BetFault, type Bets, faultOf, texts } from './bets.ts'
import { limitText } from './own-amount.ts'
import { ZoneBoard } from './zone-board.ts'

/** Times before betting closes: bets that are not placed are pointed out, or placed if the player chose that. */
const warnMs = 5_000
const placeMs = 2_500

/** The zones and the chips of a table at which players bet against the house. */
export class BettingPanel implements Betting {
  readonly #info: OpenTableInfo
  readonly #callbacks: TableCallbacks
  readonly #draft: BetDraft
  readonly #chips: readonly string[]
  readonly #board: ZoneBoard
  readonly #dock: BetDock
  readonly #auto: AutoRepeat
  readonly #timer: number
  #isClosed = false
  #view: TableView | null = null
  #isSending = false
  #warnedIn = ''

  constructor(info: OpenTableInfo, callbacks: TableCallbacks) {
    this.#info = info
    this.#callbacks = callbacks
    this.#draft = new BetDraft(info)
    this.#chips = chipsFor(info.min, info.max)
    const draft = this.#draft
    this.#board = new ZoneBoard(info, this.#chips, {
      lay: (zone) => this.#change({ ...draft.bets, [zone]: (draft.bets[zone] ?? 0n) + unitsOf(this.#dock.chip) }),
      clear: (zone) => this.#change({ ...draft.bets, [zone]: 0n }),
      choose: (variant) => {
        draft.choose(variant)
        this.#refresh()
      },
    })
    this.#auto = new AutoRepeat(info, callbacks, draft, () => this.#refresh())
    this.#dock = new BetDock(info, this.#chips, {
      undo: () => this.#undo(),
      clear: () => this.#change({}),
      repeat: () => {
        draft.choose(draft.last.variant)
        this.#change(draft.last.bets)
      },
      double: () =>
        this.#change(Object.fromEntries(Object.entries(draft.bets).map(([zone, amount]) => [zone, 2n * amount]))),
      auto: () => this.#auto.toggle(this.#view),
      confirm: () => void this.#send(),
    })
    this.#timer = setInterval(() => this.#watchTime(), 250)
  }

  get zones(): HTMLElement {
    return this.#board.element
  }

  get dock(): HTMLElement {
    return this.#dock.element
  }

  show(view: TableView): void {
    this.#view = view
    if (this.#draft.take(view)) this.#callbacks.tell(strings().unconfirmed)
    this.#refresh()
    void this.#auto.take(view, this.#isOpen)
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    this.#auto.close()
  }

  /** Chooses a chip by its number. */
  key(event: KeyboardEvent): boolean {
    const index = Number(event.key) - 1
    const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'text'
    const isChip = !isTyping && index >= 0 && index < this.#chips.length
    if (isChip) this.#dock.choose(index)
    return isChip
  }

  get #isOpen(): boolean {
    const { round, status } = this.#view ?? {}
    return !this.#isClosed && round?.phase === 'betting' && status === 'open' && this.#callbacks.mayBet()
  }

  get #isBusy(): boolean {
    return this.#isSending || this.#auto.isSending
  }

  /** Balance with the money of the placed bets, which new ones replace. */
  get #available(): bigint {
    const { balance = '0', mine = null } = this.#view ?? {}
    return unitsOf(balance) + unitsOf(mine?.stake ?? '0') + unitsOf(mine?.hold ?? '0')
  }

  /** Changes the draft, unless the limits or the balance do not allow it: then the player reads why. */
  #change(bets: Bets): void {
    if (!this.#isOpen || this.#isBusy) return
    const fault = faultOf(this.#info, bets, this.#available)
    if (fault) this.#refuse(fault)
    else {
      this.#draft.put(bets)
      play('chip')
    }
    this.#refresh()
  }

  #refuse(fault: BetFault): void {
    const { min, max } = this.#info
    this.#callbacks.tell(fault === 'BET_LIMIT' ? limitText(min, max) : (strings().refusals[fault] ?? ''))
  }

  #undo(): void {
    if (!this.#draft.canUndo || !this.#isOpen || this.#isBusy) return
    this.#draft.undo()
    this.#refresh()
  }

  async #send(): Promise<void> {
    const draft = this.#draft
    if (!this.#view?.round || !this.#isOpen || this.#isBusy || !draft.isChanged) return
    const fault = faultOf(this.#info, draft.bets, this.#available)
    if (fault) return this.#refuse(fault)
    if (draft.total === 0n) this.#auto.stop(strings().autoOff)
    this.#isSending = true
    this.#refresh()
    const input = { roundId: this.#view.round.roundId, variant: draft.variant, bets: texts(draft.bets) }
    const isDone = await this.#callbacks.after(this.#callbacks.api.bet(this.#info.tableId, input))
    this.#isSending = false
    // Placed bets stay when a reduction is refused: a lower amount on the page would hide them.
    if (!isDone && draft.isReduced) draft.reset()
    if (isDone) {
      draft.forgetSteps()
      if (Object.keys(input.bets).length > 0)
        this.#callbacks.tell(formatText(strings().placed, shown(sum(Object.values(input.bets)))))
    }
    this.#refresh()
  }

  /** Points out bets that are not placed shortly before betting closes, and places them if the player chose that. */
  #watchTime(): void {
    const draft = this.#draft
    const { round } = this.#view ?? {}
    const left = leftMs(round?.dueAt ?? null)
    const isWaiting = this.#isOpen && draft.isChanged && left > 0
    const isLate = isWaiting && left <= warnMs
    this.#dock.warn(isLate)
    if (!round || !isLate) return
    const isAutomatic = setting('confirm') === 'on' && draft.isCurrent && mayPlaceAutomatically()
    // Once in a round: bets that the server refused are not sent again by themselves.
    if (this.#warnedIn === round.roundId || (isAutomatic && left > placeMs)) return
    this.#warnedIn = round.roundId
    if (isAutomatic) return void this.#send()
    this.#callbacks.tell(strings().confirmSoon)
    play('soon')
  }

  #refresh(): void {
    this.#board.refresh(this.#draft, this.#view, this.#isOpen)
    this.#dock.refresh(this.#draft, this.#view, {
      isOpen: this.#isOpen,
      isSending: this.#isBusy,
      isRepeating: this.#auto.isOn,
    })
  }
}
