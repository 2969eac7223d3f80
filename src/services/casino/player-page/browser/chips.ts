import { h } from './dom.ts'
import { short, shown, unitsOf } from './money.ts'

/** Number of chip colors, by position in the rack. */
const colours = 6

export function chipFace(amount: string, rack: readonly string[]): HTMLElement {
  // A stack has the color of the largest chip that fits into it.
  const place = rack.filter((chip) => unitsOf(chip) <= unitsOf(amount)).length - 1
  return h('span.chip', { 'data-colour': Math.max(0, place) % colours, 'aria-hidden': 'true' }, short(amount))
}

/** The chip rack: one chip is selected at a time, also by number keys. */
export function chipRack(
  rack: readonly string[],
  label: string,
  onChoose: (chip: string) => void,
): { element: HTMLElement; choose(place: number): void } {
  const buttons = rack.map((amount, place) => {
    const input = h('input', {
      type: 'radio',
      name: 'chip',
      value: amount,
      id: `chip-${place}`,
      'aria-label': shown(amount),
    })
    input.addEventListener('change', () => onChoose(amount))
    return h('label', { for: `chip-${place}` }, input, chipFace(amount, rack))
  })
  const element = h('div.rack', { role: 'radiogroup', 'aria-label': label }, ...buttons)
  return {
    element,
    choose(place) {
      const input = buttons[place]?.querySelector('input')
      if (!input) return
      input.checked = true
      onChoose(rack[place] ?? rack[0] ?? '1')
    },
  }
}
