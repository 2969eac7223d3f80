import { fill, h, onClick, set, setText } from '../dom.ts'
import { formatText, words } from '../messages.ts'
import { shown, textOf, unitsOf } from '../money.ts'
import type { ChoicesView, RoundView, TableInfo } from '../views.ts'
import { amountAt, slider } from './slider.ts'

/** Actions on the player's turn: fold or check, call, and bet or raise by a slider. */
export class TurnBox {
  readonly #info: TableInfo
  readonly #act: (does: string, to?: bigint) => void
  readonly #amount = slider(words().raiseTo)
  readonly element = h('div.turn', { role: 'group', 'aria-label': words().yourTurn })
  #round: RoundView | null = null
  #raise = 0n

  constructor(info: TableInfo, act: (does: string, to?: bigint) => void) {
    this.#info = info
    this.#act = act
    this.#amount.addEventListener('input', () => this.#refreshRaise())
  }

  show(round: RoundView | null): void {
    this.#round = round
    const choices = round?.choices ?? null
    set(this.element, { hidden: choices === null })
    fill(this.element, choices === null ? '' : `${round?.roundId}/${round?.actions}`, () =>
      choices === null ? [] : this.#buttons(choices),
    )
    this.#refreshRaise()
  }

  #buttons(may: ChoicesView): HTMLElement[] {
    const w = words()
    const button = (name: string, text: string, work: () => void) =>
      onClick(h('button.action', { type: 'button', 'data-action': name }, text), work)
    const list = may.canCheck
      ? [button('check', w.check, () => this.#act('check'))]
      : [
          button('fold', w.fold, () => this.#act('fold')),
          button('call', formatText(w.call, shown(may.call ?? '0')), () => this.#act('call')),
        ]
    if (may.raiseFrom === null || may.raiseTo === null) return list
    this.#amount.value = '0'
    const raiseButton = button('raise', '', () => this.#act('raise', this.#raise))
    set(raiseButton, { 'data-ready': '' })
    return [...list, h('span.raise', {}, this.#amount, raiseButton)]
  }

  #refreshRaise(): void {
    const may = this.#round?.choices ?? null
    const raiseButton = this.element.querySelector<HTMLElement>('[data-action=raise]')
    if (!raiseButton || !may || may.raiseFrom === null || may.raiseTo === null) return
    const w = words()
    this.#raise = amountAt(this.#info, unitsOf(may.raiseFrom), unitsOf(may.raiseTo), Number(this.#amount.value))
    const text = textOf(this.#raise)
    const isFirst = may.canCheck && this.#round?.seats.every((seat) => seat.street === null)
    const sentence = text === may.raiseTo ? w.allIn : isFirst ? w.bet : w.raiseTo
    setText(raiseButton, formatText(sentence, shown(text)))
    set(this.#amount, { 'aria-valuetext': shown(text) })
  }
}
