import { createHash } from 'node:crypto'
import { html, Markup } from '../../../../kit/html.ts'

/** Styles of the error pages: no script, no external resources. */
const style = `
:root { color-scheme: dark }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; font: 17px/1.5 "Segoe UI", system-ui, sans-serif; background: #0a110f radial-gradient(120% 90% at 50% 0, #14211c 0, #0a110f 70%) fixed; color: #eef4ef }
main { max-width: 28rem; width: 100%; padding: 2rem; text-align: center; background: #121d19; border: 1px solid #b88a2c; border-radius: 14px }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 .6rem }
p { margin: 0; color: #a3b5ab }
`

/** Content security policy of the error pages: their own style only. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors *`

/**
 * Content security policy of the game: scripts, styles and requests of this server only, and no text that becomes
 * markup.
 */
export const playPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *; require-trusted-types-for 'script'; trusted-types 'none'"

/** A whole page around a body that is HTML already. */
export function page(title: string, body: Markup, lang: string): string {
  return html`<!doctype html>
<html lang="${lang}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${title}</title><style>${new Markup(style)}</style></head>
<body><main>${body}</main></body>
</html>
`.text
}
