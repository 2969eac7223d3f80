import { chipRack } from '../chips.ts'
import { add, h, onClick, set, setText } from '../dom.ts'
import { formatText, strings } from '../messages.ts'
import { shown, textOf, unitsOf } from '../money.ts'
import type { TableInfo, TableView } from '../views.ts'
import type { BetDraft } from './bet-draft.ts'
import { holdOf } from './bets.ts'
import { ownAmount } from './own-amount.ts'

const actionNames = ['undo', 'clear', 'repeat', 'auto', 'double', 'confirm'] as const
type Action = (typeof actionNames)[number]

/** The chips below the table, and the actions on chips that were placed. */
export class BetDock {
  readonly #info: TableInfo
  readonly #rack: ReturnType<typeof chipRack>
  readonly #actions: Readonly<Record<Action, HTMLElement>>
  readonly #stake = h('output.stake')
  readonly #limits = h('small.limits')
  readonly #note = h('span.amount')
  readonly #own: ReturnType<typeof ownAmount>
  readonly element: HTMLElement
  /** The chip that is laid down next. */
  chip: string

  constructor(info: TableInfo, chips: readonly string[], actions: Readonly<Record<Action, () => void>>) {
    const w = strings()
    this.#info = info
    this.chip = chips[0] ?? '1'
    this.#own = ownAmount(info, chips, (amount) => {
      this.#rack.chooseOwn()
      this.chip = amount
    })
    const onChoose = (amount: string) => {
      this.chip = amount
      this.#own.unchoose()
    }
    this.#rack = chipRack(chips, w.chips, onChoose, this.#own.element)
    this.#rack.choose(Math.min(1, chips.length - 1))
    const buttonOf = (name: Action) =>
      onClick(
        h('button.action', { type: 'button', 'data-action': name }, h('span', {}, name === 'auto' ? '⟳' : w[name])),
        actions[name],
      )
    this.#actions = Object.fromEntries(actionNames.map((name) => [name, buttonOf(name)])) as Record<Action, HTMLElement>
    add(this.#actions.confirm, this.#note)
    const buttons = actionNames.map((name) => this.#actions[name])
    set(this.#actions.auto, { 'aria-label': w.auto, title: w.auto })
    if (info.min !== null && info.max !== null)
      setText(this.#limits, formatText(w.limits, shown(info.min), shown(info.max)))
    const sums = h('div.sums', {}, this.#stake, this.#limits)
    this.element = h('div.dock', {}, this.#rack.element, h('div.actions', {}, sums, ...buttons))
  }

  choose(index: number): void {
    this.#rack.choose(index)
  }

  /** Points out that the draft is not placed and betting closes soon. */
  warn(isLate: boolean): void {
    set(this.element, { 'data-late': isLate ? '' : null })
  }

  refresh(
    draft: BetDraft,
    view: TableView | null,
    { isOpen, isSending, isRepeating }: { isOpen: boolean; isSending: boolean; isRepeating: boolean },
  ): void {
    const { isChanged } = draft
    const w = strings()
    const hold = holdOf(this.#info, draft.bets)
    const all = isOpen ? draft.total : unitsOf(view?.mine?.stake ?? '0')
    const staked = all > 0n ? formatText(w.stake, shown(textOf(all))) : ''
    setText(this.#stake, hold > 0n ? `${staked} · ${formatText(w.held, shown(textOf(hold)))}` : staked)
    setText(this.#note, isChanged && draft.total > 0n ? shown(textOf(draft.total)) : '')
    const { undo, clear, repeat, auto, double, confirm } = this.#actions
    set(confirm, { disabled: !isOpen || !isChanged || isSending, 'data-ready': isChanged && isOpen ? '' : null })
    set(undo, { disabled: !isOpen || !draft.canUndo })
    set(clear, { disabled: !isOpen || draft.total === 0n })
    set(repeat, { disabled: !isOpen || !draft.canRepeat })
    set(auto, { 'aria-pressed': String(isRepeating) })
    set(double, { disabled: !isOpen || draft.total === 0n })
    set(this.element, { 'data-open': isOpen ? '' : null })
  }
}
