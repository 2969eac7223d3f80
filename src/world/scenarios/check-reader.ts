import { nearest } from '../../kit/nearest.ts'
import { type Fields, type Figure, figures } from './actions.ts'

/** Finds checks of a scenario that could not fail, or not be made, before the scenario is played. Gets its steps in their order. */
export class CheckReader {
  readonly #orders = new Set<string>()
  #hasReceiver = false

  /** Returns the fault of a step; undefined for a valid one. */
  faultOf(action: string, fields: Fields): string | undefined {
    if (action === 'payment') this.#orders.add(fields['order'] ?? '')
    if (action === 'receive-callbacks') this.#hasReceiver = true
    return action === 'check' ? this.#ofCheck(fields) : undefined
  }

  #ofCheck({ that = '', of, is, 'at-least': atLeast, 'at-most': atMost }: Fields): string | undefined {
    const names = Object.keys(figures)
    if (!isFigure(that)) {
      const [near] = nearest(that, names, 1)
      const hint = near === undefined ? `figures are ${names.join(', ')}` : `did you mean "${near}"?`
      return `there is no figure ${JSON.stringify(that)}; ${hint}`
    }
    if (is === undefined && atLeast === undefined && atMost === undefined)
      return '"check" needs "is", "at-least" or "at-most"'
    if (figures[that] === 'needed' && of === undefined) return `"of" of the figure "${that}" is missing`
    if (figures[that] === 'none' && of !== undefined) return `the figure "${that}" has no "of"`
    if (that === 'payment' && !this.#orders.has(of ?? ''))
      return `there is no payment with the order ${JSON.stringify(of)} before this check`
    // Without a receiver none could arrive, and a check for none would always pass.
    if (that === 'callbacks' && !this.#hasReceiver)
      return 'callbacks are counted after the step "receive-callbacks: {}", which is missing'
    return undefined
  }
}

export const isFigure = (name: string): name is Figure => Object.hasOwn(figures, name)
