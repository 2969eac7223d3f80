import { fill, h, onClick, set, setText } from '../dom.ts'
import { formatText, strings } from '../messages.ts'
import { shown, textOf, typedAmount, unitsOf } from '../money.ts'
import type { ChoicesView, RoundView, TableInfo } from '../views.ts'
import { amountAt, slider } from './slider.ts'

/** Actions on the player's turn: fold or check, call, and bet or raise by a slider. */
export class TurnBox {
  readonly #info: TableInfo
  readonly #act: (does: string, to?: bigint) => void
  readonly #amount = slider(strings().raiseTo)
  readonly element = h('div.turn', { role: 'group', 'aria-label': strings().yourTurn })
  #round: RoundView | null = null
  #raise = 0n
  readonly #field = h('input.field', {
    type: 'text',
    inputmode: 'decimal',
    autocomplete: 'off',
    'aria-label': strings().ownAmount,
  })
  /** The amount of a shortcut or of the field; `null` for the slider's. */
  #exact: bigint | null = null

  constructor(info: TableInfo, act: (does: string, to?: bigint) => void) {
    this.#info = info
    this.#act = act
    this.#amount.addEventListener('input', () => {
      this.#exact = null
      this.#field.value = ''
      this.#refreshRaise()
    })
    this.#field.addEventListener('input', () => {
      this.#exact = typedAmount(this.#field.value)
      this.#refreshRaise()
    })
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
    const w = strings()
    const button = (name: string, text: string, work: () => void) =>
      onClick(h('button.action', { type: 'button', 'data-action': name }, text), work)
    const list = may.canCheck
      ? [button('check', w.checkTurn, () => this.#act('check'))]
      : [
          button('fold', w.fold, () => this.#act('fold')),
          button('call', formatText(w.call, shown(may.call ?? '0')), () => this.#act('call')),
        ]
    if (may.raiseFrom === null || may.raiseTo === null) return list
    this.#amount.value = '0'
    this.#exact = null
    this.#field.value = ''
    const raiseButton = button('raise', '', () => this.#act('raise', this.#raise))
    set(raiseButton, { 'data-ready': '' })
    const size = (name: string, text: string, to: () => bigint) =>
      onClick(h('button.plain', { type: 'button', 'data-size': name }, text), () => {
        this.#exact = this.#raiseWithin(to())
        this.#field.value = textOf(this.#exact)
        this.#refreshRaise()
      })
    const sizes = h(
      'span.sizes',
      {},
      size('half', `½ ${formatText(w.pot, '').trim()}`, () => this.#potRaise(1n, 2n)),
      size('pot', formatText(w.pot, '').trim(), () => this.#potRaise(1n, 1n)),
      size('all', formatText(w.allIn, '').trim(), () => unitsOf(may.raiseTo ?? '0')),
      this.#field,
    )
    return [...list, h('span.raise', {}, sizes, this.#amount, raiseButton)]
  }

  /** Returns a raise by a share of the pot after the call, in whole small blinds. */
  #potRaise(numerator: bigint, denominator: bigint): bigint {
    const may = this.#round?.choices
    const street = unitsOf(this.#round?.seats.find((seat) => seat.isMe)?.street ?? '0')
    const call = unitsOf(may?.call ?? '0')
    const exact = street + call + ((unitsOf(may?.pot ?? '0') + call) * numerator) / denominator
    return exact - (exact % unitsOf(this.#info.blinds?.small ?? '1'))
  }

  /** Returns an amount that may be raised to, nearest to this one. */
  #raiseWithin(amount: bigint): bigint {
    const from = unitsOf(this.#round?.choices?.raiseFrom ?? '0')
    const to = unitsOf(this.#round?.choices?.raiseTo ?? '0')
    return amount < from ? from : amount > to ? to : amount
  }

  #refreshRaise(): void {
    const may = this.#round?.choices ?? null
    const raiseButton = this.element.querySelector<HTMLElement>('[data-action=raise]')
    if (!raiseButton || !may || may.raiseFrom === null || may.raiseTo === null) return
    const w = strings()
    const chosen = amountAt(this.#info, unitsOf(may.raiseFrom), unitsOf(may.raiseTo), Number(this.#amount.value))
    // A typed amount that may not be raised to is not replaced by another one: the button shows the limits.
    set(this.#field, { placeholder: textOf(chosen) })
    const isRefused =
      this.#field.value !== '' && (this.#exact === null || this.#raiseWithin(this.#exact) !== this.#exact)
    this.#raise = this.#exact === null ? chosen : this.#raiseWithin(this.#exact)
    set(raiseButton, { disabled: isRefused })
    const text = textOf(this.#raise)
    const isFirst = may.canCheck && this.#round?.seats.every((seat) => seat.street === null)
    const sentence = text === may.raiseTo ? w.allIn : isFirst ? w.bet : w.raiseTo
    const limits = formatText(w.limits, shown(may.raiseFrom), shown(may.raiseTo))
    setText(raiseButton, isRefused ? limits : formatText(sentence, shown(text)))
    set(this.#amount, { 'aria-valuetext': shown(text) })
  }
}
