import { columnFormat } from '../report/format.ts'
import { html, type Markup, type Part } from '../report/html.ts'
import { reportPage, wide } from '../report/layout.ts'
import type { ListedCall } from './pack.ts'

/** Content of a case's page. Its sections are made with the templates of reports, which escape every value. */
export interface PageContent {
  readonly title: string
  /** Small text above the heading. */
  readonly over: string
  readonly heading: string
  readonly under: string
  readonly content: Part
}

interface PageFacts {
  readonly calls: readonly ListedCall[]
  readonly madeAt: string
  readonly madeBy: string
}

/** Renders the page of a case, with the list of all requests made for it. */
export function casePage(page: PageContent, { calls, madeAt, madeBy }: PageFacts): string {
  return reportPage({
    ...page,
    content: [page.content, callsPart(calls)],
    foot: `Written at ${madeAt} by ${madeBy}. Secrets are masked with ***. manifest.json has the SHA-256 of every file of this folder.`,
  })
}

function callsPart(calls: readonly ListedCall[]): Markup {
  if (calls.length === 0)
    return html`<section class="sheet"><h2>Requests</h2><p>No request was made: this case comes from the book only.</p></section>`
  const rows = calls.map(
    ({ file, method, path, outcome, at }) =>
      html`<tr><td><a class="id" href="${file}">${file.replace('calls/', '')}</a></td><td class="id">${method} ${path}</td><td>${outcome}</td><td>${at}</td></tr>`,
  )
  return html`<section class="sheet"><h2>Requests</h2>${wide(
    'Requests',
    html`<table class="stack"><caption>Every request made for this case, with its response, in the order of the responses.</caption>
<thead><tr><th scope="col">File</th><th scope="col">Request</th><th scope="col">Outcome</th><th scope="col">Time</th></tr></thead>
<tbody>${rows}</tbody></table>`,
  )}</section>`
}

/** Renders a section with names and values; null values are skipped. */
export function factsPart(title: string, facts: Readonly<Record<string, string | null>>): Part {
  const known = Object.entries(facts).filter(([, value]) => value !== null)
  if (known.length === 0) return null
  return html`<section class="sheet"><h2>${title}</h2><dl>${known.map(([name, value]) => html`<dt>${name}</dt><dd><bdi>${value}</bdi></dd>`)}</dl></section>`
}

/** A column of a table. */
export interface PageColumn {
  readonly title: string
  /** True for figures, which are aligned at the right. */
  readonly isFigure?: boolean
}

/** Renders a section with a table, if it has rows. */
export function tablePart(
  title: string,
  columns: readonly PageColumn[],
  rows: readonly (readonly (string | null)[])[],
): Part {
  if (rows.length === 0) return null
  const formats = columns.map((column, at) =>
    column.isFigure ? columnFormat(rows.map((row) => row[at] ?? null)) : undefined,
  )
  const kind = (at: number) => (columns[at]?.isFigure ? 'units' : '')
  return html`<section class="sheet"><h2>${title}</h2>${wide(
    title,
    html`<table class="stack"><thead><tr>${columns.map((column, at) => html`<th scope="col" class="${kind(at)}">${column.title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((value, at) => html`<td class="${kind(at)}"><bdi>${formats[at]?.(value ?? '') ?? value ?? ''}</bdi></td>`)}</tr>`)}</tbody></table>`,
  )}</section>`
}
