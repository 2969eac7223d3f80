import { createHash } from 'node:crypto'
import { escapeHtml } from '../../kit/html.ts'

export { escapeHtml }

/** The look of the player's pages: one style, no script, nothing from elsewhere. */
const style = `
:root { color-scheme: light dark; --ink: #17211b; --paper: #f6f4ee; --card: #fff; --quiet: #5c665f; --felt: #14532d; --line: #d9d5c8 }
@media (prefers-color-scheme: dark) { :root { --ink: #ecefe9; --paper: #0f1512; --card: #18211c; --quiet: #9aa69e; --felt: #4ade80; --line: #2a352e } }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: var(--paper); color: var(--ink) }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem }
header { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: baseline; justify-content: space-between; border-bottom: 2px solid var(--felt); padding-bottom: .75rem }
h1 { font-size: 1.5rem; margin: 0 }
dl { display: flex; gap: 1.5rem; margin: 0 } dt { color: var(--quiet); font-size: .8rem } dd { margin: 0; font-variant-numeric: tabular-nums }
ul { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 1rem }
li { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem }
li h2 { font-size: 1.05rem; margin: 0 0 .25rem } li p { margin: 0; color: var(--quiet) }
.mobile ul { grid-template-columns: 1fr }
`

/** The policy of the pages: their own style and nothing else. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors *`

/** The policy of the page that plays: scripts, style and calls of this very server, and no text that turns into markup. */
export const playPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *; require-trusted-types-for 'script'; trusted-types 'none'"

/** A whole page around a body that is HTML already. */
export function page(title: string, body: string, options: { lang?: string; device?: string } = {}): string {
  return `<!doctype html>
<html lang="${options.lang ?? 'en'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body class="${options.device === 'mobile' ? 'mobile' : 'pc'}"><main>${body}</main></body>
</html>
`
}
