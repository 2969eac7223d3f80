import { unseen } from '../../kit/control-characters.ts'
/**
 * HTML templates. Every value is escaped as text, unless another template created it, so that a username cannot contain
 * markup.
 */

/** Created by `html` only. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** Values of a template. Lists are concatenated; null and false are empty. */
export type Part = Markup | string | number | null | false | readonly Part[]

/** Creates markup from a template. Values are escaped; attribute values must be in double quotes. */
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
