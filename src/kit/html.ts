/**
 * Inserts text into markup, and nothing else. Every value of a template is text and is escaped, unless a template
 * created it: a user name with markup is shown as text.
 */

/** Markup that is inserted as it is: what templates make, and style sheets of our own. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** A value in a template. Lists are joined; null and false are nothing. */
export type Part = Markup | string | number | null | false | readonly Part[]

export type Template = (strings: TemplateStringsArray, ...parts: readonly Part[]) => Markup

/** Makes a template tag. `show` changes text before it is escaped. Attribute values are always in double quotes. */
export function templateWith(show: (text: string) => string): Template {
  const shown = (part: Part): string => {
    if (part === null || part === false) return ''
    if (part instanceof Markup) return part.text
    if (Array.isArray(part)) return part.map(shown).join('')
    return escapeHtml(show(String(part)))
  }
  return (strings, ...parts) =>
    new Markup(strings.map((string, i) => string + (i < parts.length ? shown(parts[i] ?? null) : '')).join(''))
}

/** Markup from a template whose values are shown as text. */
export const html: Template = templateWith((text) => text)

/** Closing tag of a script. A bundler replaces a template that contains it by a call of a helper that is not in the package. */
export const scriptEnd = new Markup('</script>')

/** Escapes text for use between tags and in quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
