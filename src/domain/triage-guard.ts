/** What must not go out to a customer by mistake. Each rule has a name, by which a script may let a text pass on purpose. */

export const guardRules = [
  'placeholder',
  'mention',
  'hand-off',
  'api-key',
  'jwt',
  'private-key',
  'card-number',
  'internal-word',
  'empty-variable',
] as const
export type GuardRule = (typeof guardRules)[number]

export interface GuardHit {
  readonly rule: GuardRule
  /** What was found, secrets shown by their first signs only. */
  readonly found: string
}

const patterns: readonly (readonly [GuardRule, RegExp])[] = [
  [
    'placeholder',
    /\{\{[^}]*\}\}|\[(?:name|customer|agent|date|amount|link|ticket|insert[^\]]*|xxx+)\]|<(?:name|customer|date|amount|link)>|\b(?:TODO|FIXME|TBD|XXX)\b|\blorem ipsum\b/giu,
  ],
  ['mention', /(?<![\p{L}\p{N}._%+-])@[a-z][\w.-]{1,38}/giu],
  [
    'hand-off',
    /^[ \t]*(?:#{1,6} |\*\*)?(?:internal(?: note)?|hand-?off|escalation|notes? (?:for|to) (?:agent|team|self)|agent notes?)\b[^\n]{0,40}:/gimu,
  ],
  [
    'api-key',
    /\b(?:ck|cat|wk|sk|pk|rk|ek|rt|ghp|gho|xox[abp])[_-](?:[a-z0-9]+[_-])?[A-Za-z0-9_-]{16,}|\bAKIA[0-9A-Z]{16}\b/gu,
  ],
  ['jwt', /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/gu],
  ['private-key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/gu],
]

/** Everything about a text that speaks against sending it to a customer. */
export function guard(text: string, internalWords: readonly string[] = []): GuardHit[] {
  const hits: GuardHit[] = []
  for (const [rule, pattern] of patterns)
    for (const [found] of text.matchAll(pattern)) hits.push({ rule, found: shown(rule, found) })
  for (const [found] of text.matchAll(/(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.])/gu))
    if (isCardNumber(found.replace(/\D/g, ''))) hits.push({ rule: 'card-number', found: shown('card-number', found) })
  const lower = text.toLowerCase()
  for (const word of internalWords)
    if (word.trim() !== '' && lower.includes(word.trim().toLowerCase()))
      hits.push({ rule: 'internal-word', found: word.trim() })
  // Where a variable was empty, a greeting is left without its name.
  for (const [found] of text.matchAll(
    /\b(?:dear|hi|hello|hey)[ \t]*(?=,|!|$)(?<=(?:dear|hi|hello|hey)[ \t]+)|\bnull\b|\bundefined\b|\bNaN\b/giu,
  ))
    hits.push({ rule: 'empty-variable', found: found.trim() })
  return hits
}

function shown(rule: GuardRule, found: string): string {
  const isSecret = rule === 'api-key' || rule === 'jwt' || rule === 'private-key' || rule === 'card-number'
  return isSecret ? `${found.slice(0, 6)}…` : found.trim().slice(0, 60)
}

/** The check digit that card numbers carry (Luhn), so that order numbers of the same length pass. */
function isCardNumber(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19 || /^(\d)\1+$/.test(digits)) return false
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
