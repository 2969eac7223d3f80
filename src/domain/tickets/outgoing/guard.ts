import { leftoversIn } from './placeholders.ts'
import { type Secret, secretsIn } from './secrets.ts'

/** What must not go out to a customer by mistake. Each rule has a name, by which a script may let a text pass on purpose. */

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
  /** What was found, secrets shown by their first signs only. */
  readonly found: string
  /** What kind of secret it is, in a few words; null for what speaks for itself. */
  readonly what: string | null
}

/** Everything about a text that speaks against sending it to a customer. */
export function guard(text: string, internalWords: readonly string[] = []): GuardHit[] {
  const secrets = secretsIn(text)
  const hits: GuardHit[] = leftoversIn(text)
    // What chance makes of a secret may look like anything.
    .filter(({ at }) => !secrets.some(({ hiddenFrom, end }) => at >= hiddenFrom && at < end))
    .map(({ rule, found }) => ({ rule, found: short(found), what: null }))
  for (const secret of secrets) hits.push({ rule: secret.rule, found: firstSigns(text, secret), what: secret.what })
  // Card numbers have 13 to 19 digits.
  for (const [found] of text.matchAll(/(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.])/gu))
    if (isCardNumber(found.replace(/\D/g, '')))
      hits.push({ rule: 'card-number', found: `${found.slice(0, 6)}…`, what: null })
  for (const word of internalWords.map((each) => each.trim()))
    if (word !== '' && wholeWord(word).test(text)) hits.push({ rule: 'internal-word', found: word, what: null })
  return hits
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** A word as it stands by itself, and not in the midst of another: "ban" is not in "bank". Where words are not parted it may stand anywhere. */
function wholeWord(word: string): RegExp {
  const parted = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}]'
  return new RegExp(
    `(?<!${parted}(?=${parted}))${escaped(word).replace(/\s+/g, '\\s+')}(?!(?<=${parted})${parted})`,
    'iu',
  )
}

const mostShown = 60
const short = (found: string): string => (found.length > mostShown ? `${found.slice(0, mostShown - 1)}…` : found)

/** As much of a secret as tells which it is: what stands before it, and of itself a quarter, six signs at most. */
function firstSigns(text: string, { at, end, hiddenFrom }: Secret): string {
  const before = text.slice(at, hiddenFrom).replace(/\s+/g, ' ')
  const few = Math.min(6, Math.floor((end - hiddenFrom) / 4))
  return `${before.slice(-mostShown)}${text.slice(hiddenFrom, hiddenFrom + few)}…`
}

/** The check digit that card numbers carry (Luhn), so that order numbers of the same length pass. */
function isCardNumber(digits: string): boolean {
  if (/^(\d)\1+$/.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** The hits that were not let pass by name. */
export function forbidden(hits: readonly GuardHit[], allowed: readonly GuardRule[]): GuardHit[] {
  return hits.filter(({ rule }) => !allowed.includes(rule))
}
