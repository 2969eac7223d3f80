import { leftoversIn } from './placeholders.ts'
import { type Secret, secretsIn } from './secrets.ts'

/**
 * Pre-send checks for text that customers will see. Each rule has a name, by which a script can allow a text on
 * purpose.
 */

export const guardRules = [
  'placeholder',
  'mention',
  'hand-off',
  'api-key',
  'secret',
  'jwt',
  'private-key',
  'seed-phrase',
  'card-number',
  'internal-word',
  'empty-variable',
] as const
export type GuardRule = (typeof guardRules)[number]

export interface GuardHit {
  readonly rule: GuardRule
  /** The matched text; secrets are shown by their first characters only. */
  readonly found: string
  /** Kind of secret, in a few words; null if the rule says enough. */
  readonly what: string | null
}

/** Returns every reason not to send a text to a customer. */
export function guard(text: string, internalWords: readonly string[] = []): GuardHit[] {
  const secrets = secretsIn(text)
  const hits: GuardHit[] = leftoversIn(text)
    // Random secrets may match other rules by chance.
    .filter(({ at }) => !secrets.some(({ hiddenFrom, end }) => at >= hiddenFrom && at < end))
    .map(({ rule, match }) => ({ rule, found: short(match), what: null }))
  for (const secret of secrets)
    hits.push({ rule: secret.rule, found: firstCharacters(text, secret), what: secret.kind })
  // Card numbers have 13 to 19 digits.
  for (const [match] of text.matchAll(/(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.])/gu))
    if (isCardNumber(match.replace(/\D/g, '')))
      hits.push({ rule: 'card-number', found: `${match.slice(0, 6)}…`, what: null })
  for (const word of internalWords.map((each) => each.trim()))
    if (word !== '' && wholeWord(word).test(text)) hits.push({ rule: 'internal-word', found: word, what: null })
  return hits
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Matches a whole word only: "ban" is not in "bank". In scripts without spaces it matches anywhere. */
export function wholeWord(word: string, flags = 'iu'): RegExp {
  const separated = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}]'
  return new RegExp(
    `(?<!${separated}(?=${separated}))${escaped(word).replace(/\s+/g, '\\s+')}(?!(?<=${separated})${separated})`,
    flags,
  )
}

const maxShown = 60
const short = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown - 1)}…` : text)

/** Returns enough of a secret to identify it: its public prefix and at most a quarter or six characters of the rest. */
function firstCharacters(text: string, { at, end, hiddenFrom }: Secret): string {
  const before = text.slice(at, hiddenFrom).replace(/\s+/g, ' ')
  const few = Math.min(6, Math.floor((end - hiddenFrom) / 4))
  return `${before.slice(-maxShown)}${text.slice(hiddenFrom, hiddenFrom + few)}…`
}

/** Checks the Luhn digit of card numbers, so that order numbers of the same length pass. */
/** Returns whether digits have the check digit of a payment card. */
export function isCardNumber(digits: string): boolean {
  if (/^(\d)\1+$/.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** Returns the hits that were not allowed by name. */
export function forbidden(hits: readonly GuardHit[], allowed: readonly GuardRule[]): GuardHit[] {
  return hits.filter(({ rule }) => !allowed.includes(rule))
}
