import { html, Markup, type Part, scriptEnd } from '../../kit/html.ts'
import type { Contract, Endpoint, RawRoute } from '../contract/contract.ts'
import type { JsonSchema } from '../contract/json-schema.ts'
import type { Documented } from './documented.ts'
import { exampleOf } from './example.ts'
import { codesOf, exampleRefusal, groupOf, hasNoBody, rawCodesOf } from './openapi.ts'
import { codeBlock, codeSamples, exampleRequest, runSection, vectors } from './page-samples.ts'
import { sampleLanguages } from './samples/languages.ts'
import { docsStyle } from './style.ts'

/** Returns the reference page of one API: made from the contract and its samples. It can be read without its script. */
export function docsPage(shown: Documented, all: readonly Documented[]): string {
  const { contract, samples } = shown
  const groups = Map.groupBy(Object.entries(contract.endpoints), ([, endpoint]) => groupOf(endpoint))
  const prefixes = contract.prefixes.map((prefix) => html`<code>${prefix}</code>`)
  const main = [
    html`<header><h1>${contract.title}</h1><p class="quiet">Version ${contract.version} · under ${joined(prefixes, ' and ')} · <a href="/docs/${shown.name}.json">OpenAPI 3.1</a></p></header>`,
    paragraphs(contract.description),
    contract.security !== undefined &&
      html`<section id="authentication"><h2>Authentication</h2>${paragraphs(contract.security)}${samples ? vectors(samples) : null}</section>`,
    samples ? runSection(samples) : null,
    limits(contract),
    ...[...groups].map(
      ([group, list]) =>
        html`<section><h2 id="group-${group}">${group}</h2>${paragraphs(contract.groups?.[group])}${list.map(([name, endpoint]) => article(shown, name, endpoint))}</section>`,
    ),
    rawRoutes(shown),
    callbacks(contract),
    errors(contract),
  ]
  return page(contract.title, side(shown, all, groups), joined(main, '\n'))
}

/** Returns the list of all references. */
export function docsIndex(all: readonly Documented[]): string {
  const sections = all.map(({ name, contract }) => {
    const prefix = contract.prefixes[0] ?? ''
    const rows = Object.entries(contract.endpoints).map(
      ([id, { method, path, summary }]) =>
        html`<li data-entry><a href="/docs/${name}#${id}">${badge(method)}<code>${withBreaks(prefix + path)}</code></a> <span class="quiet">${summary}</span></li>`,
    )
    return html`<section><h2><a href="/docs/${name}">${contract.title}</a></h2>
<p class="quiet">${Object.keys(contract.endpoints).length} endpoints under <code>${prefix}</code> · <a href="/docs/${name}.json">OpenAPI 3.1</a></p>
<ul class="endpoints">${rows}</ul></section>`
  })
  const head = html`<header><h1>Reference</h1><p class="quiet">Every endpoint with its fields, errors, examples and code samples. <a href="/">What is served here</a></p></header>`
  return page('Reference', null, html`${head}${searchField()}${sections}`, 'index')
}

type Groups = ReadonlyMap<string, readonly (readonly [string, Endpoint])[]>

/** The search field, which the page's script shows. */
function searchField(): Markup {
  const hidden = new Markup(' hidden')
  return html`<search data-search${hidden}><label>Search <input type="search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"></label><output></output></search>`
}

/** The choice of a language for all samples of the page. It works without the script. */
function languageChoice(): Markup {
  const choices = sampleLanguages.map(({ id, label }, i) => {
    const checked = new Markup(' checked')
    return html`<label><input type="radio" name="language" id="language-${id}" value="${id}"${i === 0 && checked}>${label}</label>`
  })
  return html`<fieldset class="choice"><legend>Code samples in</legend>${choices}</fieldset>`
}

function side({ name, contract, samples }: Documented, all: readonly Documented[], groups: Groups): Markup {
  const current = new Markup(' aria-current="page"')
  const apis = all.map(
    (one) => html`<a href="/docs/${one.name}"${one.name === name && current}>${one.contract.title}</a>`,
  )
  const link = ([id, { method, path }]: readonly [string, Endpoint]) =>
    html`<li><a href="#${id}">${badge(method)}<span>${withBreaks(path)}</span></a></li>`
  const lists = [...groups].map(([group, list]) => html`<h2>${group}</h2><ul>${list.map(link)}</ul>`)
  const streams = contract.rawRoutes ? html`<li><a href="#streams-and-files">Streams and files</a></li>` : null
  const calls = contract.callbacks ? html`<li><a href="#callbacks">Callbacks</a></li>` : null
  const more = html`<h2>More</h2><ul>${streams}${calls}<li><a href="#errors">Errors</a></li></ul>`
  return html`<nav aria-label="Contents"><div class="apis"><a href="/">What is served here</a>${apis}</div>${samples ? languageChoice() : null}${searchField()}<details class="contents"><summary>Contents</summary>${lists}${more}</details></nav>`
}

function article({ contract, samples }: Documented, name: string, endpoint: Endpoint): Markup {
  const body = endpoint.body as JsonSchema | undefined
  const reply = contract.envelope.schema(endpoint.reply) as JsonSchema
  return html`<article id="${name}" data-entry aria-labelledby="${name}-title">
<h3 id="${name}-title">${endpoint.summary}</h3>
<p class="line">${badge(endpoint.method)}<code>${withBreaks((contract.prefixes[0] ?? '') + endpoint.path)}</code> <span class="quiet">access: ${endpoint.access}</span></p>
${paragraphs(endpoint.description)}
${fieldTable('Path parameters', endpoint.params)}
${fieldTable('Query', endpoint.query)}
${fieldTable('Headers', endpoint.headers)}
${fieldTable(endpoint.bodyOptional ? 'Body (optional)' : 'Body', body)}
${exampleRequest(contract, name, endpoint, samples)}
<h4>Reply, status ${endpoint.status}</h4>
${rows(endpoint.reply) ?? html`<p>${typeOf(endpoint.reply)}</p>`}
${hasNoBody(endpoint.status) ? null : codeBlock('Example reply', JSON.stringify(exampleOf(reply, samples?.fields), null, 2))}
${statuses(Object.entries(endpoint.alternatives ?? {}))}
${codes(contract, codesOf(contract, endpoint))}
${samples ? codeSamples(contract, samples, name) : null}
</article>`
}

/** Returns statuses of success with their descriptions. */
const statuses = (all: readonly (readonly [string, string])[]): Markup[] =>
  all.map(([status, description]) => html`<p><b>${status}</b> ${description}</p>`)

function codes(contract: Contract, list: readonly string[]): Markup {
  const links = list.map(
    (code) => html`<a href="#error-${code}"><code>${code}</code> ${contract.problems[code] ?? 500}</a>`,
  )
  return html`<h4>Errors</h4>
<p class="codes">${joined(links, ' ')}</p>`
}

/** Returns the routes that transfer bytes or events. Their ids differ from those of endpoints with the same name. */
function rawRoutes({ contract, samples }: Documented): Markup | null {
  const { rawRoutes: known } = contract
  if (!known) return null
  const list = Object.entries(known).map(([name, route]) =>
    rawArticle(contract, `route-${name}`, route, samples && codeSamples(contract, samples, name)),
  )
  return html`<section id="streams-and-files"><h2>Streams and files</h2>${list}</section>`
}

function rawArticle(contract: Contract, id: string, route: RawRoute, samples: Part | undefined): Markup {
  const descriptions = Object.entries(route.responses).map(
    ([status, { description, type }]) => [status, type ? `${description} (${type})` : description] as const,
  )
  return html`<article id="${id}" data-entry aria-labelledby="${id}-title">
<h3 id="${id}-title">${route.summary}</h3>
<p class="line">${badge(route.method)}<code>${withBreaks((contract.prefixes[0] ?? '') + route.path)}</code> <span class="quiet">access: ${route.access}</span></p>
${paragraphs(route.description)}
${fieldTable('Path parameters', route.params)}
${fieldTable('Query', route.query)}
${fieldTable('Headers', route.headers)}
${route.sends ? html`<p>Body: <code>${route.sends}</code></p>` : null}
<h4>Replies</h4>
${statuses(descriptions)}
${codes(contract, rawCodesOf(contract, route))}
${samples ?? null}
</article>`
}

function limits({ bodyLimit }: Contract): Markup {
  return html`<section><h2>Limits</h2><p>A request body must be at most ${bodyLimit.toLocaleString('en')} bytes.</p></section>`
}

function callbacks({ callbacks: known }: Contract): Markup | null {
  if (!known) return null
  const list = Object.entries(known).map(
    ([name, { summary, description, headers, body }]) =>
      html`<article id="callback-${name}" aria-labelledby="callback-${name}-title">
<h3 id="callback-${name}-title">${summary}</h3>
${paragraphs(description)}
${fieldTable('Headers', headers)}
${fieldTable('Body', body)}
</article>`,
  )
  return html`<section id="callbacks"><h2>Callbacks</h2><p>POST to your receiver. Any 2xx status acknowledges the callback.</p>${list}</section>`
}

function errors(contract: Contract): Markup {
  const { meanings } = contract
  const list = Object.entries(contract.problems).map(
    ([code, status]) =>
      html`<tr id="error-${code}"><th scope="row"><code>${code}</code></th><td>${status}</td>${meanings ? html`<td>${meanings[code] ?? ''}</td>` : null}</tr>`,
  )
  const meaning = meanings ? html`<th scope="col">Meaning</th>` : null
  return html`<section id="errors"><h2>Errors</h2><p>Branch on the code, never on the message.</p>
${codeBlock('A refusal', JSON.stringify(exampleRefusal(contract, contract.standardCodes.invalid), null, 2))}
<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Code</th><th scope="col">Status</th>${meaning}</tr></thead><tbody>${list}</tbody></table></div></section>`
}

function fieldTable(title: string, schema: JsonSchema | undefined): Markup | null {
  const table = schema ? rows(schema) : null
  return table && html`<h4>${title}</h4>${table}`
}

function rows(schema: JsonSchema): Markup | null {
  const fields = fieldsOf(schema, '')
  if (fields.length === 0) return null
  const optional = html` <span class="quiet">optional</span>`
  const body = fields.map(
    ({ path, isRequired, field }) =>
      html`<tr><th scope="row"><code>${withBreaks(path)}</code>${!isRequired && optional}</th><td>${typeOf(field)}</td><td>${notesOf(field)}</td></tr>`,
  )
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Notes</th></tr></thead><tbody>${body}</tbody></table></div>`
}

interface Field {
  readonly path: string
  readonly isRequired: boolean
  readonly field: JsonSchema
}

/** Returns the fields of a schema and of nested ones, each by its path; lists are marked `[]`. */
function fieldsOf(schema: JsonSchema, path: string): Field[] {
  const inner = schema.anyOf ?? schema.allOf
  if (inner) return uniqueByPath(inner.flatMap((branch) => fieldsOf(branch, path)))
  if (schema.items) return [schema.items].flat().flatMap((item) => fieldsOf(item, `${path}[]`))
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`
    return [{ path: at, isRequired: schema.required?.includes(name) ?? false, field }, ...fieldsOf(field, at)]
  })
}

function uniqueByPath(fields: readonly Field[]): Field[] {
  return [...new Map(fields.map((field) => [field.path, field])).values()]
}

function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map(String).join(' | ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.allOf) return 'object'
  if (typeof schema.type === 'object') return schema.type.join(' or ')
  if (schema.type === 'array')
    return `list of ${[schema.items]
      .flat()
      .map((item) => typeOf(item ?? {}))
      .join(', ')}`
  return schema.format ? `${schema.type} (${schema.format})` : (schema.type ?? 'any')
}

function notesOf(schema: JsonSchema): Part {
  const of = schema.anyOf?.find((branch) => branch.type !== 'null') ?? schema
  const { minimum, maximum, minLength, maxLength, pattern } = of
  const notes: Part[] = [
    schema.description ?? '',
    range('', minimum, maximum),
    range('length ', minLength, maxLength),
    pattern ? html`<code>${withBreaks(pattern)}</code>` : '',
    schema.default === undefined ? '' : html`default <code>${JSON.stringify(schema.default)}</code>`,
  ].filter((note) => note !== '')
  // After a full stop a space separates the next note, elsewhere a semicolon.
  return notes.map((note, i) => [i === 0 ? '' : String(notes[i - 1]).endsWith('.') ? ' ' : '; ', note])
}

function range(word: string, low: number | undefined, high: number | undefined): string {
  if (low === undefined && high === undefined) return ''
  if (low === undefined) return `${word}up to ${high}`
  return high === undefined ? `${word}from ${low}` : `${word}${low} to ${high}`
}

function badge(method: string): Markup {
  return html`<b class="m ${method.toLowerCase()}">${method}</b>`
}

/** Returns a paragraph for each part between empty lines. Text in backticks is code. */
function paragraphs(text: string | undefined): Markup[] {
  const parts = (text ?? '').split(/\n\s*\n/).filter((part) => part.trim() !== '')
  return parts.map((part) => {
    const pieces = part.trim().split(/`([^`]+)`/)
    return html`<p>${pieces.map((piece, i) => (i % 2 === 0 ? piece : html`<code>${piece}</code>`))}</p>`
  })
}

function page(title: string, nav: Part, main: Markup, kind: 'api' | 'index' = 'api'): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${title} · countroom</title><style>${new Markup(docsStyle)}</style></head>
<body class="${kind}"><a class="skip" href="#main">Skip to the contents</a>${nav}<main id="main">${main}</main><p class="away" role="status" data-status></p><script src="/docs/reference.js" defer>${scriptEnd}</body></html>`
    .text
}

/** Allows line breaks after each slash of a long path. */
function withBreaks(text: string): Markup {
  const wbr = html`<wbr>`
  return html`${text.split(/(?<=[/.])/).map((piece) => [piece, /[/.]$/.test(piece) && wbr])}`
}

/** Joins parts with a text between them. */
function joined(parts: readonly Part[], between: string): Markup {
  return html`${parts.map((part, i) => [i === 0 ? '' : between, part])}`
}
