// The widget's two scripts as they are shipped: without types and as small as they get, since every page of a merchant loads them.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { minifySync, transformSync } from 'rolldown/utils'

/** A script's text for browsers, made of its TypeScript. */
export function widgetScript(file) {
  const made = transformSync(basename(file), readFileSync(file, 'utf8'), { lang: 'ts', target: 'es2022' })
  // The loader is a classic script; the other part is a module, whose own names nobody else sees.
  const isModule = /^export /m.test(made.code)
  const small = minifySync(basename(file, '.ts'), made.code, { module: isModule })
  const [fault] = [...made.errors, ...small.errors]
  if (fault) throw new Error(`${file}: ${fault.message}`)
  return small.code
}
