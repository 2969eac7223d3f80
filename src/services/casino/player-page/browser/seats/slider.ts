import { h } from '../dom.ts'
import { unitsOf } from '../money.ts'
import type { TableInfo } from '../views.ts'

export function slider(label: string): HTMLInputElement {
  return h('input', { type: 'range', 'aria-label': label, min: 0, max: 100, value: 50 })
}

/** A slider's position, 0 to 100, as an amount between two: in whole big blinds except at the ends. */
export function amountAt({ blinds }: TableInfo, min: bigint, max: bigint, position: number): bigint {
  if (position >= 100) return max
  const step = unitsOf(blinds?.big ?? '2')
  const exact = min + ((max - min) * BigInt(position)) / 100n
  const whole = exact - ((exact - min) % step)
  return whole > max ? max : whole
}
