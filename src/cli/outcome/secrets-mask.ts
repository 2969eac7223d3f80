import { ownSecrets } from '../../domain/tickets/outgoing/own-secrets.ts'

/** Texts that must not be shown, learned while the program runs: the keys of the profile in use. */
const learned = new Set<string>()

/** Shorter ones would take ordinary words out of every sentence. */
const shortest = 4

/** Takes these texts out of everything that is printed from here on, except results. */
export function hide(secrets: Iterable<string>): void {
  for (const secret of secrets) if (secret.length >= shortest) learned.add(secret)
}

/** Forgets all of them, before another run. */
export function forgetHidden(): void {
  learned.clear()
}

/** What is a secret by its form alone, wherever it comes from. */
const forms: readonly [RegExp, string][] = [
  ...ownSecrets
    .filter(({ isPublic }) => !isPublic)
    .map(({ prefix, rest }): [RegExp, string] => [new RegExp(`\\b(${prefix})${rest}`, 'g'), '$1***']),
  [/\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g, '***'],
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s:@/?#]*):[^\s@/]+@/gi, '$1:***@'],
  [/([?&](?:token|ticket|secret|password|api_?key|signature)=)[^\s&#"']+/gi, '$1***'],
]

/** A text with every secret in it replaced by stars. For errors, warnings, notes and traces; results are shown as they are. */
export function masked(text: string): string {
  let safe = text
  for (const secret of learned) safe = safe.replaceAll(secret, '***')
  for (const [form, stars] of forms) safe = safe.replace(form, stars)
  return safe
}

/** The same for every text inside a value, keys included. */
export function maskedValue(value: unknown): unknown {
  if (typeof value === 'string') return masked(value)
  if (Array.isArray(value)) return value.map(maskedValue)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [masked(key), maskedValue(part)]))
}

/**
 * A value as JSON. Signs that steer a terminal or turn the direction of writing are written as escapes, which a reader of
 * JSON sees as what they are: a result may well be looked at on a screen.
 */
export function jsonText(value: unknown, indent = 0): string {
  return JSON.stringify(value, bigIntAsText, indent).replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** JSON has no whole numbers of any size: they are written as decimal text, as amounts are everywhere. */
function bigIntAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
