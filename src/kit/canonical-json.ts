/** Any value JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/**
 * Returns JSON with sorted object keys and no spaces: equal values give equal text, for fingerprints and signatures.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : part,
  )
}

/**
 * Returns the first name that occurs twice in one object of a JSON text, or of several concatenated texts. A parser
 * silently keeps the last value, which is unsafe for money. The result is unreliable for text that is not JSON.
 */
export function repeatedName(text: string): { readonly name: string; readonly line: number } | undefined {
  const open: (Set<string> | undefined)[] = []
  let line = 1
  for (const { 0: token } of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]\n]/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (token.endsWith(':')) {
      const name = nameIn(token)
      const names = open.at(-1)
      if (names?.has(name)) return { name, line }
      names?.add(name)
    }
    for (const char of token) if (char === '\n') line += 1
  }
  return undefined
}

function nameIn(token: string): string {
  const quoted = token.slice(0, token.lastIndexOf('"') + 1)
  try {
    return JSON.parse(quoted)
  } catch {
    return quoted
  }
}
