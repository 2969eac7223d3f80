import { isCardNumber, wholeWord } from '../../../domain/tickets/outgoing/guard.ts'

/** Removes what identifies people from a text, for readers outside of the company. */
export type Redactor = (text: string) => string

/** People of a case, with the label that takes their place. */
export interface Named {
  readonly text: string
  readonly label: string
}

/**
 * Forms that identify a person in free text. Amounts, times and IDs of transfers, slips and rounds stay, because they are what the
 * case is about.
 */
const forms: readonly (readonly [RegExp, string])[] = [
  [/[^\s"'<>()\\@,;:]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, '[email]'],
  [/\b(?:\d{1,3}\.){3}\d{1,3}\b/g, '[ip]'],
  [/(?<![\p{L}\p{N}])\+\d[\d ()-]{6,18}\d/gu, '[phone]'],
  [/\b0x[0-9a-fA-F]{40}\b/g, '[address]'],
  [/\b(?:bc1|ltc1)[0-9a-z]{20,80}\b/g, '[address]'],
  [/\b[T13][1-9A-HJ-NP-Za-km-z]{25,34}\b/g, '[address]'],
]

/** Returns a function that replaces the names, in every spelling a file may have of them, and all forms of personal data. */
export function redactor(named: readonly Named[]): Redactor {
  const known = named.filter(({ text }) => text.trim() !== '')
  const rules = known
    .flatMap(({ text, label }) => spellings(text).map((spelling) => ({ spelling, label })))
    // The longest first: a name can be a part of another.
    .toSorted((a, b) => b.spelling.length - a.spelling.length)
    .map(({ spelling, label }) => ({ label, pattern: wholeWord(spelling, 'giu') }))
  return (text) => {
    const named = rules.reduce((rest, { pattern, label }) => rest.replace(pattern, () => label), text)
    return withoutCards(forms.reduce((rest, [pattern, label]) => rest.replace(pattern, label), named))
  }
}

/** Replaces card numbers. A number that is the value of a JSON field, such as a time, is none. */
function withoutCards(text: string): string {
  return text.replace(/(?<![\d.\p{L}_-])[3-6]\d{3}(?:[ -]?\d){9,15}(?![\d.\p{L}_])/gu, (match, at: number) => {
    const isField = /"\s*:\s*$/.test(text.slice(Math.max(0, at - 8), at))
    return isField || !isCardNumber(match.replace(/\D/g, '')) ? match : '[card]'
  })
}

/** Returns a text as it is in JSON, in JSON within JSON, in HTML and in a URL. */
function spellings(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1)
  const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
  const url = encodeURIComponent(text)
  const all = [text, json, JSON.stringify(json).slice(1, -1), html, html.replaceAll("'", '&#39;'), url]
  return [...new Set([...all, url.replaceAll('%20', '+')])]
}
