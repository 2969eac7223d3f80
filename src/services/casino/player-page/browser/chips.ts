import { h } from './dom.ts'
import { short, shown, unitsOf } from './money.ts'

/** Number of chip colors, by position in the rack. */
const colours = 6

export function chipFace(amount: string, rack: readonly string[]): HTMLElement {
  // A stack has the color of the largest chip that fits into it.
  const index = rack.filter((chip) => unitsOf(chip) <= unitsOf(amount)).length - 1
  return h('span.chip', { 'data-colour': Math.max(0, index) % colours, 'aria-hidden': 'true' }, short(amount))
}

/** The chip rack: one chip is selected at a time, also by number keys. The last one has an amount of the player's own. */
export function chipRack(
  rack: readonly string[],
  label: string,
  onChoose: (chip: string) => void,
  own: HTMLElement,
): { element: HTMLElement; choose(index: number): void; chooseOwn(): void } {
  const buttons = rack.map((amount, index) => {
    const input = h('input', {
      type: 'radio',
      name: 'chip',
      value: amount,
      id: `chip-${index}`,
      'aria-label': shown(amount),
    })
    input.addEventListener('change', () => onChoose(amount))
    return h('label', { for: `chip-${index}` }, input, chipFace(amount, rack))
  })
  const inputs = buttons.flatMap((button) => button.querySelector('input') ?? [])
  const element = h('div.rack', { role: 'group', 'aria-label': label }, ...buttons, own)
  return {
    element,
    choose(index) {
      const input = inputs[index]
      if (!input) return
      input.checked = true
      onChoose(rack[index] ?? rack[0] ?? '1')
    },
    chooseOwn() {
      for (const input of inputs) input.checked = false
    },
  }
}
