import { h, onClick, set, setText } from '../dom.ts'
import { formatText, strings } from '../messages.ts'
import { shown, textOf, unitsOf } from '../money.ts'
import { isUnattended, mayPlaceAutomatically } from '../session/activity.ts'
import type { Betting, TableCallbacks } from '../table-parts.ts'
import type { TableInfo, TableView } from '../views.ts'
import { amountAt, slider } from './slider.ts'
import { TurnBox } from './turn-box.ts'

/** Before the hand: the chips for a seat. On the player's turn: the available actions. */
export class Seating implements Betting {
  readonly #info: TableInfo
  readonly #callbacks: TableCallbacks
  readonly #buyIn = slider(strings().chips)
  readonly #everyHand = h('input', { type: 'checkbox', id: 'every' })
  readonly #sitButton = h('button.action', { type: 'button', 'data-action': 'sit', 'data-ready': '' })
  readonly #leaveButton = h('button.action', { type: 'button', 'data-action': 'stand' }, strings().leaveSeat)
  readonly #sitBox = h(
    'div.sit',
    {},
    this.#buyIn,
    h('label.every', { for: 'every' }, this.#everyHand, ` ${strings().everyHand}`),
    this.#sitButton,
    this.#leaveButton,
  )
  readonly #turn: TurnBox
  readonly zones = h('div.zones-box')
  readonly dock: HTMLElement
  #view: TableView | null = null
  #round = ''
  #isSending = false
  #isClosed = false

  constructor(info: TableInfo, callbacks: TableCallbacks) {
    this.#info = info
    this.#callbacks = callbacks
    this.#turn = new TurnBox(info, (does, to) => this.#act(does, to))
    this.dock = h('div.dock', { 'data-kind': 'nolimit' }, this.#sitBox, this.#turn.element)
    onClick(this.#sitButton, () => void this.#sit(textOf(this.#chosenBuyIn)))
    onClick(this.#leaveButton, () => {
      this.#everyHand.checked = false
      void this.#sit(null)
    })
    this.#buyIn.addEventListener('input', () => this.#refresh())
  }

  show(view: TableView): void {
    this.#view = view
    const id = view.round?.roundId ?? ''
    if (id !== this.#round) {
      this.#round = id
      if (this.#everyHand.checked && view.mine === null && this.#isOpen) this.#sitAgain()
    }
    this.#refresh()
  }

  key(): boolean {
    return false
  }

  close(): void {
    this.#isClosed = true
  }

  get #isOpen(): boolean {
    return this.#view?.round?.phase === 'betting' && this.#view.status === 'open' && this.#callbacks.mayBet()
  }

  get #chosenBuyIn(): bigint {
    const { minBuyIn = '0', maxBuyIn = '0' } = this.#info.blinds ?? {}
    return amountAt(this.#info, unitsOf(minBuyIn), unitsOf(maxBuyIn), Number(this.#buyIn.value))
  }

  /** Takes a seat in the next hand by itself, unless the page is hidden or the player is away. */
  #sitAgain(): void {
    if (isUnattended()) this.#everyHand.checked = false
    else if (mayPlaceAutomatically()) void this.#sit(textOf(this.#chosenBuyIn))
  }

  /** Takes a seat with chips, or leaves it. */
  async #sit(chips: string | null): Promise<void> {
    const { api } = this.#callbacks
    const input = { roundId: this.#view?.round?.roundId ?? '', buyIn: chips }
    // After a refusal no seat is taken by itself any more.
    if (!(await this.#send(() => api.seat(this.#info.tableId, input)))) this.#everyHand.checked = false
  }

  async #act(does: string, to?: bigint): Promise<void> {
    const { round } = this.#view ?? {}
    await this.#send(() =>
      this.#callbacks.api.turn(this.#info.tableId, {
        roundId: round?.roundId ?? '',
        action: round?.actions ?? 0,
        does,
        ...(to === undefined ? {} : { to: textOf(to) }),
      }),
    )
  }

  async #send(request: () => Promise<TableView>): Promise<boolean> {
    if (this.#isSending || this.#isClosed) return true
    this.#isSending = true
    const isDone = await this.#callbacks.after(request())
    this.#isSending = false
    this.#refresh()
    return isDone
  }

  #refresh(): void {
    const isIn = this.#view?.mine !== null && this.#view?.mine !== undefined
    const isOpen = this.#isOpen
    const chips = shown(textOf(this.#chosenBuyIn))
    set(this.#sitBox, { hidden: this.#view?.round?.phase !== 'betting' })
    set(this.#sitButton, { hidden: isIn, disabled: !isOpen || this.#isSending })
    set(this.#leaveButton, { hidden: !isIn, disabled: !isOpen || this.#isSending })
    set(this.#buyIn, { hidden: isIn, disabled: !isOpen, 'aria-valuetext': chips })
    setText(this.#sitButton, formatText(strings().takeSeat, chips))
    set(this.dock, { 'data-open': isOpen ? '' : null })
    this.#turn.show(this.#view?.round ?? null)
  }
}
