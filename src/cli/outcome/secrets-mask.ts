import { withoutSecretForms } from '../../domain/secret-forms.ts'

/** Texts to mask: the keys of the profile in use. */
const learned = new Set<string>()

/** Minimum length of a masked text; shorter ones would match ordinary words. */
const shortest = 4

/** Masks these texts in everything that is printed from now on, except results. */
export function hide(secrets: Iterable<string>): void {
  for (const secret of secrets) if (secret.length >= shortest) learned.add(secret)
}

/** Removes all masked texts, before another run. */
export function forgetHidden(): void {
  learned.clear()
}

/** Replaces secrets with stars in errors, warnings, notes and stack traces. Results are not masked. */
export function masked(text: string): string {
  let safe = text
  for (const secret of learned) safe = safe.replaceAll(secret, '***')
  return withoutSecretForms(safe)
}

/** Masks every text inside a value, including keys. */
export function maskedValue(value: unknown): unknown {
  if (typeof value === 'string') return masked(value)
  if (Array.isArray(value)) return value.map(maskedValue)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [masked(key), maskedValue(part)]))
}

/**
 * Formats a value as JSON. Control and bidirectional characters are escaped, because the result may be printed on a
 * terminal.
 */
export function jsonText(value: unknown, indent = 0): string {
  return JSON.stringify(value, bigIntAsText, indent).replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** JSON has no big integers: they are written as decimal text, like amounts. */
function bigIntAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
