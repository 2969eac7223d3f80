/** Decimal text and units of 0.0001, as on the server: no amount becomes a float. */

const scale = 4

export function unitsOf(text: string): bigint {
  const negative = text.startsWith('-')
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole + fraction.padEnd(scale, '0').slice(0, scale))
  return negative ? -units : units
}

export function textOf(units: bigint): string {
  const minus = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const fraction = digits.slice(-scale).replace(/0+$/, '')
  return `${minus}${digits.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`
}

/** Formats an amount for display: grouped thousands, at least two decimals if there are any. */
export function shown(text: string): string {
  const negative = text.startsWith('-')
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${negative ? '−' : ''}${grouped}${fraction === '' ? '' : `.${fraction.padEnd(2, '0')}`}`
}

/** Formats an amount for a chip: `1.5K`, `25M`. */
export function short(text: string): string {
  const [whole = '0'] = text.split('.')
  for (const [zeros, letter] of [
    [9, 'B'],
    [6, 'M'],
    [3, 'K'],
  ] as const) {
    if (whole.length <= zeros) continue
    const rest = whole.slice(-zeros).replace(/0+$/, '').slice(0, 2)
    return `${whole.slice(0, -zeros)}${rest === '' ? '' : `.${rest}`}${letter}`
  }
  return text
}

export function sum(amounts: readonly string[]): string {
  return textOf(amounts.reduce((total, amount) => total + unitsOf(amount), 0n))
}

/** Reads an amount that a player typed, with either decimal separator; `null` if it is none. */
export function typedAmount(text: string): bigint | null {
  const plain = text.trim().replace(',', '.')
  return /^\d{1,12}(\.\d{1,4})?$/.test(plain) ? unitsOf(plain) : null
}

const maxChips = 8

/**
 * Returns up to eight chips from the minimum to the maximum bet: ones and fives of each power of ten. Of more, those in
 * between are thinned out evenly.
 */
export function chipsFor(min: string | null, max: string | null): string[] {
  const minUnits = unitsOf(min ?? '1')
  const maxUnits = max === null ? minUnits * 10_000n : unitsOf(max)
  const chips: string[] = []
  for (let power = 1n; power <= maxUnits; power *= 10n)
    for (const units of [power, 5n * power]) if (units >= minUnits && units <= maxUnits) chips.push(textOf(units))
  if (chips.length === 0) return [textOf(minUnits)]
  if (chips.length <= maxChips) return chips
  return Array.from({ length: maxChips }, (_, i) => chips[Math.round((i * (chips.length - 1)) / (maxChips - 1))] ?? '1')
}
