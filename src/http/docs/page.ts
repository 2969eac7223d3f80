import { html, Markup, type Part } from '../../kit/html.ts'
import type { Contract, Endpoint, RawRoute } from '../contract/contract.ts'
import type { JsonSchema } from '../contract/json-schema.ts'
import { codesOf, exampleOf, exampleRefusal, groupOf, rawCodesOf } from './openapi.ts'

/** A contract and its name in `/docs/<name>`. */
export interface Documented {
  readonly name: string
  readonly contract: Contract
}

/** Returns the reference page of one API: made from the contract only, without scripts. */
export function docsPage(shown: Documented, all: readonly Documented[]): string {
  const { contract } = shown
  const groups = Map.groupBy(Object.entries(contract.endpoints), ([, endpoint]) => groupOf(endpoint))
  const prefixes = contract.prefixes.map((prefix) => html`<code>${prefix}</code>`)
  const main = [
    html`<header><h1>${contract.title}</h1><p class="quiet">Version ${contract.version} · under ${joined(prefixes, ' and ')} · <a href="/docs/${shown.name}.json">OpenAPI 3.1</a></p></header>`,
    paragraphs(contract.description),
    contract.security !== undefined &&
      html`<section id="authentication"><h2>Authentication</h2>${paragraphs(contract.security)}</section>`,
    limits(contract),
    ...[...groups].map(
      ([group, list]) =>
        html`<section><h2 id="group-${group}">${group}</h2>${paragraphs(contract.groups?.[group])}${list.map(([name, endpoint]) => article(contract, name, endpoint))}</section>`,
    ),
    rawRoutes(contract),
    callbacks(contract),
    errors(contract),
  ]
  return page(contract.title, side(shown, all, groups), joined(main, '\n'))
}

/** Returns the list of all references. */
export function docsIndex(all: readonly Documented[]): string {
  const items = all.map(
    ({ name, contract }) =>
      html`<li><a href="/docs/${name}">${contract.title}</a> <span class="quiet">${Object.keys(contract.endpoints).length} endpoints under <code>${contract.prefixes[0] ?? ''}</code></span></li>`,
  )
  return page('Reference', null, html`<header><h1>Reference</h1></header><ul class="apis">${items}</ul>`)
}

type Groups = ReadonlyMap<string, readonly (readonly [string, Endpoint])[]>

function side({ name, contract }: Documented, all: readonly Documented[], groups: Groups): Markup {
  const current = new Markup(' aria-current="page"')
  const apis = all.map(
    (one) => html`<a href="/docs/${one.name}"${one.name === name && current}>${one.contract.title}</a>`,
  )
  const link = ([id, { method, path }]: readonly [string, Endpoint]) =>
    html`<li><a href="#${id}">${badge(method)}<span>${withBreaks(path)}</span></a></li>`
  const lists = [...groups].map(([group, list]) => html`<h2>${group}</h2><ul>${list.map(link)}</ul>`)
  const streams = contract.rawRoutes ? html`<li><a href="#streams-and-files">Streams and files</a></li>` : null
  const calls = contract.callbacks ? html`<li><a href="#callbacks">Callbacks</a></li>` : null
  return html`<nav aria-label="Contents"><div class="apis">${apis}</div>${lists}<h2>More</h2><ul>${streams}${calls}<li><a href="#errors">Errors</a></li></ul></nav>`
}

function article(contract: Contract, name: string, endpoint: Endpoint): Markup {
  const body = endpoint.body as JsonSchema | undefined
  const reply = contract.envelope.schema(endpoint.reply) as JsonSchema
  return html`<article id="${name}" aria-labelledby="${name}-title">
<h3 id="${name}-title">${endpoint.summary}</h3>
<p class="line">${badge(endpoint.method)}<code>${withBreaks((contract.prefixes[0] ?? '') + endpoint.path)}</code> <span class="quiet">access: ${endpoint.access}</span></p>
${paragraphs(endpoint.description)}
${fieldTable('Path parameters', endpoint.params)}
${fieldTable('Query', endpoint.query)}
${fieldTable('Headers', endpoint.headers)}
${fieldTable(endpoint.bodyOptional ? 'Body (optional)' : 'Body', body)}
${body ? example('Example body', exampleOf(body)) : null}
<h4>Reply, status ${endpoint.status}</h4>
${rows(endpoint.reply) ?? html`<p>${typeOf(endpoint.reply)}</p>`}
${example('Example reply', exampleOf(reply))}
${statuses(Object.entries(endpoint.alternatives ?? {}))}
${codes(contract, codesOf(contract, endpoint))}
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
function rawRoutes(contract: Contract): Markup | null {
  const { rawRoutes: known } = contract
  if (!known) return null
  const list = Object.entries(known).map(([name, route]) => rawArticle(contract, `route-${name}`, route))
  return html`<section id="streams-and-files"><h2>Streams and files</h2>${list}</section>`
}

function rawArticle(contract: Contract, id: string, route: RawRoute): Markup {
  const descriptions = Object.entries(route.responses).map(
    ([status, { description, type }]) => [status, type ? `${description} (${type})` : description] as const,
  )
  return html`<article id="${id}" aria-labelledby="${id}-title">
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
${example('A refusal', exampleRefusal(contract, contract.standardCodes.invalid))}
<div class="scroll"><table><thead><tr><th scope="col">Code</th><th scope="col">Status</th>${meaning}</tr></thead><tbody>${list}</tbody></table></div></section>`
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
  return html`<div class="scroll"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Notes</th></tr></thead><tbody>${body}</tbody></table></div>`
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
  // A description ends with a full stop; a list follows it.
  return notes.map((note, i) => [i === 0 ? '' : String(notes[i - 1]).endsWith('.') ? ' ' : '; ', note])
}

function range(word: string, low: number | undefined, high: number | undefined): string {
  if (low === undefined && high === undefined) return ''
  if (low === undefined) return `${word}up to ${high}`
  return high === undefined ? `${word}from ${low}` : `${word}${low} to ${high}`
}

function example(title: string, value: unknown): Markup {
  return html`<details><summary>${title}</summary><pre><code>${JSON.stringify(value, null, 2)}</code></pre></details>`
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

function page(title: string, nav: Part, main: Markup): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${title} · countroom</title><style>${new Markup(docsStyle)}</style></head>
<body><a class="skip" href="#main">Skip to the contents</a>${nav}<main id="main">${main}</main></body></html>`.text
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

/** The only style of the pages; its hash is what their policy allows. */
export const docsStyle = `
:root{color-scheme:light dark;--ink:light-dark(#1b1d22,#e6e7ea);--soft:light-dark(#5a606b,#a4aab5);--ground:light-dark(#fff,#15171b);--raised:light-dark(#f5f6f8,#1d2026);--line:light-dark(#dcdfe4,#343942);--link:light-dark(#0b57c2,#8ab8ff)}
*{box-sizing:border-box}html{scroll-padding-top:1rem}
body{margin:0;display:grid;grid-template-columns:minmax(0,1fr);font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--ground)}
a{color:var(--link)}a:focus-visible,summary:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--ground);padding:.5rem}
nav{padding:1rem 1.25rem;background:var(--raised);border-bottom:1px solid var(--line);font-size:.875rem}
nav .apis a{display:block;padding:.15rem 0;font-weight:600}nav a{text-decoration:none}nav [aria-current]{color:var(--ink)}
nav h2{font-size:.8rem;color:var(--soft);margin:1.1rem 0 .2rem;text-transform:capitalize}nav ul{list-style:none;margin:0;padding:0}
nav li a{display:flex;gap:.5rem;align-items:baseline;padding:.15rem 0;color:var(--ink)}nav li a:hover span{text-decoration:underline}
main{padding:1.5rem 1.25rem 4rem;max-width:62rem;min-width:0}
h1{font-size:1.7rem;line-height:1.2;margin:.2rem 0}h2{font-size:1.3rem;margin:2.2rem 0 .6rem;text-transform:capitalize}h3{font-size:1.1rem;margin:0 0 .3rem}h4{font-size:.9rem;margin:1.1rem 0 .3rem}
article{border:1px solid var(--line);border-radius:.6rem;padding:1.1rem 1.2rem;margin:1rem 0}
.quiet{color:var(--soft);font-size:.875rem;font-weight:400}.line{display:flex;flex-wrap:wrap;gap:.6rem;align-items:baseline;margin:.2rem 0}
code,pre{font:.875em/1.5 ui-monospace,monospace;overflow-wrap:anywhere}th code{overflow-wrap:break-word}pre{background:var(--raised);border:1px solid var(--line);border-radius:.4rem;padding:.8rem;overflow:auto;margin:.4rem 0}
.m{font:600 .7rem/1.5 ui-monospace,monospace;min-width:3.4rem;color:light-dark(#1d5c2f,#8fd6a4)}.post,.put,.patch{color:light-dark(#8a4a00,#f0bd7c)}.delete{color:light-dark(#a11d2b,#ff9aa4)}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{text-align:left;vertical-align:top;padding:.35rem .8rem .35rem 0;border-bottom:1px solid var(--line);font-weight:400}thead th{font-weight:600;color:var(--soft);font-size:.8rem}
:target{outline:2px solid var(--link);outline-offset:3px}summary{cursor:pointer;color:var(--soft);font-size:.875rem;margin-top:.5rem}.codes a{display:inline-block;margin:0 .8rem .3rem 0;text-decoration:none}
@media(min-width:60rem){body{grid-template-columns:19rem minmax(0,1fr)}nav{border:0;border-right:1px solid var(--line);position:sticky;top:0;height:100vh;overflow:auto}main{padding:2rem 2.5rem 5rem}}
@media print{nav{display:none}article{break-inside:avoid}}
`
