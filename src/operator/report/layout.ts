import { createHash } from 'node:crypto'
import { sha256Hex } from '../../kit/hmac.ts'
import { sentence } from './format.ts'
import { html, type Markup, type Part } from './html.ts'
import type { ScreenSize } from './plots.ts'
import { pageStyle, style } from './style.ts'

/** Contents of a report page. */
export interface ReportPage {
  readonly title: string
  /** Small text above the heading. */
  readonly over: string
  readonly heading: string
  readonly under: string
  readonly content: Part
  readonly foot: string
  /** Names of the book and of files that the report comes from or was written with. */
  readonly sources?: readonly ReportSource[]
  /** Default: a hash of the content, so that equal content has an equal ID. */
  readonly reportId?: string
  /** Signature block; default: who prepared and who checked. */
  readonly signatures?: Markup
}

/** A book or a file that a report comes from, or that was written with it. */
export interface ReportSource {
  readonly name: string
  /** Its kind or size. */
  readonly content: string
  readonly sha256: string | null
}

/**
 * Renders a self-contained report page: no script, no network, no font. Its content security policy forbids all of them, so that
 * a hostile name could do nothing even if it passed the escaping.
 */
export function reportPage({
  title,
  over,
  heading,
  under,
  content,
  foot,
  sources = [],
  signatures,
  ...rest
}: ReportPage): string {
  const main = html`${content}${sourcesPart(sources)}${signatures ?? signaturesPart('Figures, differences and hashes above were checked.', [{ role: 'Prepared by' }, { role: 'Checked by' }])}`
  const reportId = rest.reportId ?? sha256Hex(`${over}\n${heading}\n${under}\n${main}`).slice(0, 16).toUpperCase()
  const all = style + pageStyle(`${over} · ${heading}`, reportId)
  const hash = createHash('sha256').update(all).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
`
  const body = html`</head>
<body>
<header>
<div class="over">${over}</div>
<h1>${heading}</h1>
<p class="under">${under}</p>
</header>
<main>
${main}
</main>
<footer><p>Report ${reportId}. ${foot}</p></footer>
</body>
</html>
`
  // The style is inserted unescaped, because its hash covers these exact bytes.
  return `${page}<style>${all}</style>\n${body}`
}

/** Lists the book and the files of a report with their hashes. */
function sourcesPart(sources: readonly ReportSource[]): Part {
  if (sources.length === 0) return null
  return html`<section class="sheet"><h2>Files and hashes</h2>${wide(
    'Files',
    html`<table><thead><tr><th scope="col">File</th><th scope="col">Content</th><th scope="col">SHA-256</th></tr></thead>
<tbody>${sources.map(({ name, content, sha256 }) => html`<tr><th scope="row"><bdi>${name}</bdi></th><td>${content}</td><td class="id">${sha256}</td></tr>`)}</tbody></table>`,
  )}</section>`
}

/** Renders lines to sign. A line has the name and the date if they are known. */
export function signaturesPart(
  text: string,
  lines: readonly { readonly role: string; readonly name?: string | null; readonly at?: string | null }[],
): Markup {
  return html`<section class="sheet signatures"><h2>Signatures</h2><p>${text}</p>
<div class="sign">${lines.map(({ role, name, at }) => html`<div>${role}: ${name == null ? 'name' : html`<bdi>${name}</bdi>`}<span>${at == null ? 'date' : at.slice(0, 10)} · signature</span></div>`)}</div></section>`
}

/** A table wider than the screen scrolls on its own, also by keyboard. */
export function wide(label: string, content: Markup): Markup {
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}">${content}</div>`
}

/** A plot for a wide screen and for a narrow one; the page shows one of them. */
export const forBothScreens = (plot: (screen: ScreenSize) => Markup): Markup =>
  html`<div class="plot on-wide">${plot('wide')}</div><div class="plot on-narrow">${plot('narrow')}</div>`

/** Renders a section with a list of sentences, if there are any. */
export function listPart(title: string, lines: readonly string[]): Part {
  if (lines.length === 0) return null
  return html`<section class="sheet"><h2>${title}</h2><ul>${lines.map((line) => html`<li><bdi>${sentence(line)}</bdi></li>`)}</ul></section>`
}

/** Renders the next steps, if there are any. Their commands are pasted, so their minus signs stay hyphens. */
export function nextStepsPart(steps: readonly string[]): Part {
  if (steps.length === 0) return null
  return html`<section class="sheet"><h2>Next steps</h2><ol>${steps.map((step) => html`<li><bdi>${step}</bdi></li>`)}</ol></section>`
}

export const tile = (figure: string, words: string): Markup =>
  html`<li class="tile"><b>${figure}</b><span>${words}</span></li>`

export const verdictTitles = {
  balanced: 'Balanced',
  differences: 'Differences',
  'cannot-conclude': 'Inconclusive',
} as const

/** Renders the verdict: icon, name and sentence. */
export function verdictSheet(verdict: keyof typeof verdictTitles, sentence: string, label = 'Verdict'): Markup {
  return html`<section class="sheet verdict ${verdict}" aria-label="${label}">${icon(verdict)}
<div><h2>${verdictTitles[verdict]}</h2><p>${sentence}</p></div></section>`
}

function icon(verdict: keyof typeof verdictTitles): Markup {
  const marks = {
    balanced: html`<path class="icon" d="M12.5 20.5l5.5 5.5l10-11.5"/>`,
    differences: html`<path class="icon" d="M12 16h16M12 24h16M25 10.5l-10 19"/>`,
    'cannot-conclude': html`<path class="icon" d="M15.5 16a4.5 4.5 0 1 1 6.6 4c-1.5.8-2.1 1.700-2.100 3.500M20 28.500v.01"/>`,
  }
  return html`<svg viewBox="0 0 40 40" aria-hidden="true"><circle class="icon" cx="20" cy="20" r="17.5"/>${marks[verdict]}</svg>`
}
