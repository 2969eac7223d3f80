import { unseen } from '../../kit/control-characters.ts'
/**
 * Text into markup, and nothing else into markup. Whatever a template is handed is text, and is shown as such, unless it
 * was made by a template itself: so a username can say what it likes and stays a name.
 */

/** Made by `html` alone. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** What a template can hold. Lists are put one behind the other; null and false are nothing. */
export type Part = Markup | string | number | null | false | readonly Part[]

/** Markup from a template whose values are shown as text. Attribute values stand in double quotes, always. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.map((string, i) => string + (i < parts.length ? shown(parts[i] ?? null) : '')).join(''))
}

function shown(part: Part): string {
  if (part === null || part === false) return ''
  if (part instanceof Markup) return part.text
  if (Array.isArray(part)) return part.map(shown).join('')
  return escaped(String(part))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text
    .replace(unseen, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
    .replace(/[&<>"']/g, (char) => entities[char] ?? '')
}
