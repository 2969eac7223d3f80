/** Exact numbers for reference models: no float, and no truncation before a rule requires it. */

/** An exact number: n / d, d above zero. */
export interface Exact {
  readonly n: bigint
  readonly d: bigint
}

export const exact = (n: bigint, d = 1n): Exact => ({ n, d })
export const plus = (a: Exact, b: Exact) => exact(a.n * b.d + b.n * a.d, a.d * b.d)
export const by = (a: Exact, b: Exact) => exact(a.n * b.n, a.d * b.d)
export const over = (a: Exact, b: Exact) => exact(a.n * b.d, a.d * b.n)
export const isLess = (a: Exact, b: Exact) => a.n * b.d < b.n * a.d
export const floor = ({ n, d }: Exact) => n / d
export const ceil = ({ n, d }: Exact) => (n + d - 1n) / d
export const ceilTo = (value: Exact, step: bigint) => ceil(over(value, exact(step))) * step

export function exactOf(text: string): Exact {
  const [whole = '', fraction = ''] = text.split('.')
  return exact(BigInt(whole + fraction), 10n ** BigInt(fraction.length))
}

export function textOf(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  const [whole, fraction] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals)]
  return fraction.replace(/0+$/, '') === '' ? whole : `${whole}.${fraction.replace(/0+$/, '')}`
}

/** A value that earlier steps have ensured. */
export function known<T>(value: T | null): T {
  if (value === null) throw new Error('the step was checked for what it needs')
  return value
}
