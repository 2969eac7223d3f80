import { html, type Markup, type Part } from '../../kit/html.ts'
import type { Contract, Endpoint } from '../contract/contract.ts'
import type { JsonSchema } from '../contract/json-schema.ts'
import { exampleOf } from './example.ts'
import { sampleLanguages } from './samples/languages.ts'
import { exampleValue, planOf } from './samples/plan.ts'
import type { ApiSamples, SampleText, SignatureVector } from './samples/sample.ts'

/** Parts of the reference that show code: examples, samples and worked signatures. */

/** Returns a block of code with its title; the page's script adds the button that copies it. */
export function codeBlock(title: string, text: string, kind = ''): Markup {
  return html`<figure class="${kind}"><figcaption><span>${title}</span></figcaption><pre tabindex="0"><code>${text}</code></pre></figure>`
}

/** Returns the request of an endpoint's sample: its line, and its body. */
export function exampleRequest(
  contract: Contract,
  name: string,
  endpoint: Endpoint,
  samples: ApiSamples | undefined,
): Markup | null {
  const plan = samples && planOf(contract, samples, name)
  const call = plan?.steps.at(-1)
  if (!call || !('kind' in call)) {
    const body = endpoint.body as JsonSchema | undefined
    return body ? codeBlock('Example body', JSON.stringify(exampleOf(body), null, 2)) : null
  }
  const body = exampleValue(call.body)
  const text = body === undefined ? '' : `\n\n${typeof body === 'string' ? body : JSON.stringify(body, null, 2)}`
  return codeBlock('Example request', `${call.method} ${exampleText(call.path)}${text}`)
}

const exampleText = (parts: SampleText): string => parts.map(exampleValue).join('')

/** Returns the samples of an endpoint in every language, of which the page shows the chosen one. */
export function codeSamples(contract: Contract, samples: ApiSamples, name: string): Markup | null {
  const plan = planOf(contract, samples, name)
  if (!plan) return null
  const blocks = sampleLanguages.map(({ id, label, write }) =>
    codeBlock(`Sample in ${label}`, write(plan), `sample ${id}`),
  )
  return html`<div class="samples">${blocks}</div>`
}

/** Returns the environment of the samples, and how to set it for a served world. */
export function runSection({ environment, readyFile }: ApiSamples): Markup {
  const rows = Object.entries(environment).map(
    ([name, meaning]) => html`<tr><th scope="row"><code>${name}</code></th><td>${meaning}</td></tr>`,
  )
  const lines = Object.entries(readyFile).map(
    ([name, path]) => `export ${name}=$(node -p 'JSON.parse(fs.readFileSync("ready.json")).${path}')`,
  )
  return html`<section id="samples"><h2>Code samples</h2>
<p>Each sample is complete. It reads its settings from the environment, and needs no packages to be installed.</p>
<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Variable</th><th scope="col">Value</th></tr></thead><tbody>${rows}</tbody></table></div>
${codeBlock('The environment of a world that you serve', `# In another terminal: countroom serve --ready-file ready.json\n${lines.join('\n')}`)}</section>`
}

/** Returns the worked signatures of an API. */
export function vectors({ vectors: all }: ApiSamples): Part {
  return all.map(vector)
}

function vector({ title, description, parts, text, secret, algorithm, signature }: SignatureVector): Markup {
  const row = ([name, value]: readonly [string, string]) =>
    html`<tr><th scope="row">${name}</th><td><code>${value}</code></td></tr>`
  const digest = algorithm === 'sha256' ? 'HMAC-SHA256' : 'HMAC-SHA512'
  return html`<div class="vector"><h3>${title}</h3><p>${description}</p>
<div class="scroll" tabindex="0"><table><tbody>${[...parts, ['Secret', secret] as const].map(row)}</tbody></table></div>
${codeBlock('Signed text', text)}${codeBlock(`${digest}, hex`, signature)}</div>`
}
