import { isCardNumber, wholeWord } from '../../../domain/tickets/outgoing/guard.ts'
import { withCodes } from '../../../kit/text/control-characters.ts'

/** Removes what identifies people from a text, for readers outside of the company. */
export type Redactor = (text: string) => string

/** A name in a case, and the label that replaces it. */
export interface Named {
  readonly text: string
  readonly label: string
  /** True for a word of a name. It can be the name of a JSON field too ("player"), which stays. */
  readonly isPart?: boolean
}

/**
 * Forms that identify a person in free text. Amounts, times and IDs of transfers, slips and rounds stay, because they are what the
 * case is about.
 */
const forms: readonly (readonly [RegExp, string])[] = [
  [/[^\s"'<>()\\@,;:]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, '[email]'],
  [/\b(?:\d{1,3}\.){3}\d{1,3}\b/g, '[ip]'],
  // Digits after a point belong to an amount, such as +12345678.50.
  [/(?<![\p{L}\p{N}])\+\d[\d ()-]{6,18}\d(?![.,]?\d)/gu, '[phone]'],
  // National forms, such as 0912 345 678 and 00886 912 345 678.
  [/(?<![\p{L}\p{N}_.,:+-])(?:00[1-9](?:[ -]?\d){7,13}|0\d(?:[ -]?\d){7,9})(?![\p{L}\p{N}_:-]|[.,]\d)/gu, '[phone]'],
  [/\b0x[0-9a-fA-F]{40}\b/g, '[address]'],
  [/\b(?:bc1|ltc1)[0-9a-z]{20,80}\b/g, '[address]'],
  [/\b[T13][1-9A-HJ-NP-Za-km-z]{25,34}\b/g, '[address]'],
]

/**
 * Returns a function that replaces the names, in every spelling a file may have of them, and all forms of personal data. The IDs of
 * the case stay: some have the form of a phone or card number.
 */
export function redactor(named: readonly Named[], ids: readonly string[] = []): Redactor {
  const kept = new Set(ids)
  const known = named.filter(({ text }) => text.trim() !== '')
  const rules = known
    .flatMap(({ text, label, isPart }) => spellings(text).map((spelling) => ({ spelling, label, isPart })))
    // The longest first: a name can be a part of another.
    .toSorted((a, b) => b.spelling.length - a.spelling.length)
    .map(({ spelling, label, isPart }) => {
      const word = wholeWord(spelling, 'giu')
      return { label, pattern: isPart ? new RegExp(`${word.source}(?!\\\\*"\\s*:)`, word.flags) : word }
    })
  const redact: Redactor = (text) => {
    const decoded = inUrls(inLiterals(text, redact), redact)
    const named = rules.reduce((rest, { pattern, label }) => rest.replace(pattern, () => label), decoded)
    const formless = forms.reduce(
      (rest, [pattern, label]) => rest.replace(pattern, (match) => (kept.has(match) ? match : label)),
      named,
    )
    return withoutCards(formless, kept)
  }
  return redact
}

/**
 * Redacts the decoded value of JSON strings with escapes. In the JSON text, the n of `\n` is a letter directly before
 * the next word, and a name can be written with \u escapes.
 */
function inLiterals(text: string, redact: Redactor): string {
  return text.replace(/"[^"\\]*(?:\\.[^"\\]*)+(?:"|$)/gsu, (literal) => {
    const value = stringIn(literal)
    const redacted = value === undefined ? value : redact(value)
    return value === redacted ? literal : JSON.stringify(redacted)
  })
}

/** Returns the text of a JSON string, also of one that was cut off; undefined if it is none. */
function stringIn(literal: string): string | undefined {
  for (const whole of [literal, `${literal}"`])
    try {
      return JSON.parse(whole)
    } catch {}
  return undefined
}

/** Redacts the decoded value of percent-encoded parts of URLs and forms. */
function inUrls(text: string, redact: Redactor): string {
  return text.replace(/[^\s"<>/?&=#;]+/g, (part) => {
    if (!/%[0-9a-f]{2}/i.test(part)) return part
    try {
      const value = decodeURIComponent(part.replaceAll('+', ' '))
      const redacted = redact(value)
      return value === redacted ? part : encodeURIComponent(redacted).replaceAll('%5B', '[').replaceAll('%5D', ']')
    } catch {
      return part
    }
  })
}

/** Replaces card numbers. A number that is the value of a JSON field, such as a time, is not one. */
function withoutCards(text: string, kept: ReadonlySet<string>): string {
  return text.replace(/(?<![\d.\p{L}_-])[3-6]\d{3}(?:[ -]?\d){9,15}(?![\d.\p{L}_])/gu, (match, at: number) => {
    const isField = /"\s*:\s*$/.test(text.slice(Math.max(0, at - 8), at))
    return isField || kept.has(match) || !isCardNumber(match.replace(/\D/g, '')) ? match : '[card]'
  })
}

/** Returns a text as it is in JSON, in JSON within JSON, in HTML and in a URL. */
function spellings(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1)
  // Pages show invisible characters as codes.
  const html = withCodes(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
  const url = encodeURIComponent(text)
  const all = [text, json, JSON.stringify(json).slice(1, -1), html, html.replaceAll("'", '&#39;'), url]
  return [...new Set([...all, url.replaceAll('%20', '+')])]
}
