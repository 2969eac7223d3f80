import { chipFace } from '../chips.ts'
import { h, onClick, set, setText } from '../dom.ts'
import { formatText, strings } from '../messages.ts'
import { short, shown, textOf, typedAmount, unitsOf } from '../money.ts'
import type { TableInfo } from '../views.ts'

/** The chip with an amount of the player's own, and the dialog that asks for it. */
export function ownAmount(
  { min, max }: Pick<TableInfo, 'min' | 'max'>,
  rack: readonly string[],
  onChoose: (amount: string) => void,
): { element: HTMLElement; unchoose(): void } {
  const w = strings()
  const button = h('button.own', { type: 'button', 'aria-label': w.ownAmount, 'aria-pressed': 'false' }, '…')
  const input = h('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off', id: 'own', maxlength: 18 })
  const fault = h('p.fault', { role: 'alert' })
  const ok = h('button.action', { type: 'submit', 'data-ready': '', 'data-action': 'own' }, 'OK')
  const close = onClick(h('button.plain', { type: 'button' }, w.close), () => dialog.close())
  const form = h('form', {}, h('label', { for: 'own' }, w.ownAmount), input, fault, h('div.buttons', {}, close, ok))
  const dialog = h('dialog.small', { 'aria-label': w.ownAmount }, form)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const units = typedAmount(input.value)
    const isWithin =
      units !== null && units > 0n && (min === null || units >= unitsOf(min)) && (max === null || units <= unitsOf(max))
    setText(fault, isWithin ? '' : limitText(min, max))
    if (!isWithin || units === null) return
    const amount = textOf(units)
    button.replaceChildren(chipFace(amount, rack))
    set(button, { 'aria-label': `${w.ownAmount}: ${short(amount)}`, 'aria-pressed': 'true' })
    dialog.close()
    onChoose(amount)
  })
  onClick(button, () => {
    setText(fault, '')
    dialog.showModal()
    input.select()
  })
  return { element: h('span.own-box', {}, button, dialog), unchoose: () => set(button, { 'aria-pressed': 'false' }) }
}

/** Returns the text that names the smallest and the largest bet. */
export function limitText(min: string | null, max: string | null): string {
  const w = strings()
  if (min === null || max === null) return w.refusals['BET_REFUSED'] ?? ''
  return formatText(w.refusals['BET_LIMIT'] ?? '', shown(min), shown(max))
}
