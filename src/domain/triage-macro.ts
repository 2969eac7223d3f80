/** Answers that are written once and filled in for each ticket. */

export interface Macro {
  readonly name: string
  /** The text by language tag; `default` is the last resort. */
  readonly texts: Readonly<Record<string, string>>
}

export type Filled =
  | { readonly text: string; readonly language: string }
  | { readonly missing: readonly string[] }
  | { readonly untranslated: string }

/**
 * The macro's text for a customer's language, variables filled in. A variable that is missing or empty is an error and
 * not a gap: half a sentence must never reach a customer. What is filled in is not read for variables again.
 */
export function fillMacro(
  macro: Macro,
  language: string | null,
  variables: Readonly<Record<string, string | null | undefined>>,
): Filled {
  const found = textFor(macro, language)
  if (!found) return { untranslated: language ?? 'default' }
  const missing = new Set<string>()
  const text = found.text.replace(/\{\{\s*([A-Za-z][\w.]*)\s*\}\}/g, (_whole, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (value === undefined || value === null || value.trim() === '') missing.add(name)
    return value ?? ''
  })
  return missing.size > 0 ? { missing: [...missing] } : { text, language: found.language }
}

/** From the most to the least particular: `zh-Hant-TW`, `zh-Hant`, `zh`, and at last the default. */
function textFor({ texts }: Macro, language: string | null): { text: string; language: string } | undefined {
  const parts = (language ?? '').toLowerCase().split('-').filter(Boolean)
  const tags = [...parts.map((_, i) => parts.slice(0, parts.length - i).join('-')), 'default']
  const known = new Map(Object.entries(texts).map(([tag, text]) => [tag.toLowerCase(), text]))
  for (const tag of tags) {
    const text = known.get(tag)
    if (text !== undefined) return { text, language: tag }
  }
  return undefined
}

/** The variables a macro asks for. */
export function variablesOf({ texts }: Macro): string[] {
  const names = Object.values(texts).flatMap((text) =>
    [...text.matchAll(/\{\{\s*([A-Za-z][\w.]*)\s*\}\}/g)].map((match) => match[1] ?? ''),
  )
  return [...new Set(names)]
}
