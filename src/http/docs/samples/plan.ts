import type { Contract } from '../../contract/contract.ts'
import { type ApiSamples, type Computed, Placeholder, type SampleInput, type SampleText, type Step } from './sample.ts'

/** A sample as every language prints it. */
export interface SamplePlan {
  readonly steps: readonly PlannedStep[]
  readonly authentication: 'signature' | 'key'
  readonly keyHeader: string
  readonly envelope: string | undefined
  /** True if refusals are printed like other responses. */
  readonly showsRefusal: boolean
  /** True if a request has a body that is not JSON. */
  readonly sendsText: boolean
  /** True if a step adds a header. */
  readonly addsHeaders: boolean
  /** True if a step is a call. */
  readonly calls: boolean
  readonly usesUnique: boolean
  readonly usesTotp: boolean
  readonly usesHmac: boolean
}

export type PlannedStep =
  | PlannedCall
  | Exclude<Step, { call: string }>
  /** Path of a stream, whose first event is printed. */
  | { readonly stream: SampleText }
  /** Link to a file, whose size is printed. */
  | { readonly file: Placeholder }

export interface PlannedCall {
  readonly kind: 'call'
  readonly as: string | undefined
  readonly method: string
  /** Path and query. */
  readonly path: SampleText
  readonly body: SampleInput['body'] | undefined
}

/** Returns the steps of an endpoint's sample; undefined if the API has no sample of this name. */
export function planOf(contract: Contract, samples: ApiSamples, name: string): SamplePlan | undefined {
  const sample = samples.endpoints[name]
  const own = endpointOf(contract, name)
  if (!sample || !own) return undefined
  const before = samples.before?.[own.access] ?? []
  const { first = [], isStream, link } = sample
  const all: Step[] = [...before, ...first, ...(link ? [] : [{ call: name, ...sample }])]
  const steps: PlannedStep[] = all.map((step) => ('call' in step ? plannedCall(contract, step) : step))
  const last = steps.at(-1)
  if (link) steps.push({ file: link })
  else if (isStream && last && 'kind' in last) steps.splice(-1, 1, { stream: last.path })
  const computed = all.flatMap((step) => ('set' in step ? step.to : []))
  const uses = (kind: Computed['kind']) => computed.some((each) => each.kind === kind)
  return {
    steps,
    authentication: samples.keyHeader === undefined ? 'signature' : 'key',
    keyHeader: samples.keyHeader ?? '',
    envelope: samples.envelope,
    showsRefusal: samples.refused?.includes(name) ?? false,
    sendsText: all.some((step) => 'call' in step && typeof step.body === 'string'),
    addsHeaders: isStream === true || all.some((step) => 'header' in step),
    calls: steps.some((step) => 'kind' in step),
    usesUnique: placeholdersIn(all).some(({ source }) => source.kind === 'unique'),
    usesTotp: uses('totp'),
    usesHmac: uses('hmac'),
  }
}

function endpointOf(contract: Contract, name: string) {
  return contract.endpoints[name] ?? contract.rawRoutes?.[name]
}

function plannedCall(
  contract: Contract,
  { call, as, params = {}, query, body }: Extract<Step, { call: string }>,
): PlannedCall {
  const endpoint = endpointOf(contract, call)
  if (!endpoint) throw new Error(`a sample calls ${call}, which ${contract.title} does not have`)
  const path = endpoint.path.split(/:([A-Za-z_]+)/).flatMap((part, i) => {
    if (i % 2 === 0) return part === '' ? [] : [part]
    const value = params[part]
    if (value === undefined) throw new Error(`the sample of ${call} has no ${part}`)
    return [value instanceof Placeholder ? value : encodeURIComponent(value)]
  })
  return {
    ...{ kind: 'call', as, body, method: endpoint.method },
    path: joined([contract.prefixes[0] ?? '', ...path, ...queryText(query)]),
  }
}

function queryText(query: SampleInput['query']): SampleText {
  return Object.entries(query ?? {}).flatMap(([name, value], i) => [
    `${i === 0 ? '?' : '&'}${name}=`,
    value instanceof Placeholder ? value : encodeURIComponent(value),
  ])
}

/** Joins adjacent texts. */
function joined(parts: SampleText): SampleText {
  const all: (string | Placeholder)[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (typeof part === 'string' && typeof last === 'string') all[all.length - 1] = last + part
    else all.push(part)
  }
  return all
}

function placeholdersIn(value: unknown): Placeholder[] {
  if (value instanceof Placeholder) return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(placeholdersIn)
}

/** Returns a value with an example in place of each placeholder. */
export function exampleValue(value: unknown): unknown {
  if (value instanceof Placeholder) return value.example
  if (Array.isArray(value)) return value.map(exampleValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, exampleValue(each)]))
}
