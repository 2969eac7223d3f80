import type { Node, Pair } from 'yaml'
import { durationMs } from '../../kit/duration.ts'
import { nearest } from '../../kit/nearest.ts'
import { Problem } from '../../kit/problem.ts'
import { FaultReader, type FileFault, loadYaml } from '../fault-file.ts'
import { actions, type Fields, type Kind } from './actions.ts'
import { CheckReader } from './check-reader.ts'

/** A step of a scenario: an action with its fields, or a fault to set. */
export type Step =
  | { readonly line: number; readonly action: Exclude<keyof typeof actions, 'fault'>; readonly fields: Fields }
  | { readonly line: number; readonly action: 'fault'; readonly fault: FileFault }

/** A sequence of steps to play on a world. */
export interface Scenario {
  readonly name: string
  readonly summary: string
  readonly steps: readonly Step[]
}

/** Maximum number of steps in a file, and of errors in a message. */
const maxSteps = 1_000
const maxListed = 10

/** Reads a scenario: a YAML map with `name`, `summary` and `steps`. Throws INVALID_FILE with every error and its line. */
export async function scenarioFrom(source: string, file: string): Promise<Scenario> {
  const yaml = await loadYaml()
  const lines = new yaml.LineCounter()
  const document = yaml.parseDocument(source, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
  const reader = new ScenarioReader(yaml, new FaultReader(yaml, lines), (at) => lines.linePos(at).line)
  for (const { pos, message } of [...document.errors, ...document.warnings])
    reader.error(pos[0], message.split('\n')[0] ?? message)
  const scenario = reader.isFaulty ? undefined : reader.scenario(document.contents)
  if (scenario && !reader.isFaulty) return scenario
  const faults = reader.errors.toSorted((a, b) => a.line - b.line)
  const messages = faults.slice(0, maxListed).map(({ line, text }) => `line ${line}: ${text}`)
  const more = faults.length > maxListed ? `; and ${faults.length - maxListed} more` : ''
  throw new Problem('INVALID_FILE', `${file}: ${messages.join('; ')}${more}`, { file, faults })
}

class ScenarioReader {
  readonly #yaml: typeof import('yaml')
  readonly #faults: FaultReader
  readonly #lineOf: (at: number) => number
  readonly #checks = new CheckReader()

  constructor(yaml: typeof import('yaml'), faults: FaultReader, lineOf: (at: number) => number) {
    this.#yaml = yaml
    this.#faults = faults
    this.#lineOf = lineOf
  }

  get errors() {
    return this.#faults.faults
  }

  get isFaulty(): boolean {
    return this.errors.length > 0
  }

  error(at: number, text: string): undefined {
    return this.#faults.fault(at, text)
  }

  scenario(content: Node | null): Scenario | undefined {
    const at = content?.range?.[0] ?? 0
    const parts = this.#pairs(content, at, 'the file must be a map with "name", "summary" and "steps"')
    const texts = { name: '', summary: '' }
    let steps: Step[] | undefined
    for (const { key, keyAt, value } of parts) {
      if (key === 'steps') steps = this.#steps(value, keyAt)
      else if (key === 'name' || key === 'summary') texts[key] = this.#text(value) ?? ''
      else this.error(keyAt, `unknown key ${JSON.stringify(key)}; keys are name, summary, steps`)
    }
    if (texts.name === '') this.error(at, '"name" is missing')
    if (steps === undefined) return this.error(at, '"steps" is missing')
    return { ...texts, steps }
  }

  #steps(node: Node | null, at: number): Step[] {
    if (!this.#yaml.isSeq(node) || node.items.length === 0) {
      this.error(at, '"steps" must be a list, such as "- advance: { by: 26h }"')
      return []
    }
    if (node.items.length > maxSteps) this.error(at, `the list has more than ${maxSteps} steps`)
    return node.items.flatMap((item) => this.#step(item as Node) ?? [])
  }

  #step(node: Node): Step | undefined {
    const at = node?.range?.[0] ?? 0
    const names = Object.keys(actions)
    const [pair, ...others] = this.#pairs(node, at, `a step must be a map with one of ${names.join(', ')}`)
    if (pair === undefined) return undefined
    if (others.length > 0) return this.error(at, `a step has one action; this one has ${others.length + 1}`)
    const action = names.find((name) => name === pair.key) as keyof typeof actions | undefined
    if (action === undefined) {
      const [near] = nearest(pair.key, names, 1)
      const hint = near === undefined ? `; actions are ${names.join(', ')}` : `; did you mean "${near}"?`
      return this.error(pair.keyAt, `unknown action "${pair.key}"${hint}`)
    }
    const line = this.#lineOf(at)
    if (action !== 'fault') {
      const fields = this.#fields(action, pair.value, pair.keyAt)
      if (fields === undefined) return undefined
      const fault = this.#checks.faultOf(action, fields)
      return fault === undefined ? { line, action, fields } : this.error(at, fault)
    }
    const fault =
      pair.value === null ? this.error(at, '"fault" must be a map with "kind"') : this.#faults.one(pair.value)
    return fault && { line, action, fault }
  }

  #fields(action: Exclude<keyof typeof actions, 'fault'>, node: Node | null, at: number): Fields | undefined {
    const { keys, required } = actions[action]
    const known = Object.keys(keys)
    const fields: Record<string, string> = {}
    const before = this.errors.length
    const pairs = node === null ? [] : this.#pairs(node, at, `"${action}" must be a map with ${known.join(', ')}`)
    for (const { key, keyAt, value } of pairs) {
      const kind = (keys as Readonly<Record<string, Kind>>)[key]
      if (kind === undefined) {
        const [near] = nearest(key, known, 1)
        const all = known.length === 0 ? `"${action}" has no keys` : `keys of "${action}" are ${known.join(', ')}`
        const hint = near === undefined ? `; ${all}` : `; did you mean "${near}"?`
        this.error(keyAt, `unknown key "${key}"${hint}`)
        continue
      }
      const text = this.#text(value)
      if (text === undefined || !fits(kind, text)) this.error(keyAt, `"${key}" must be ${expected[kind]}`)
      else fields[key] = text
    }
    const found = new Set(pairs.map(({ key }) => key))
    for (const key of required) if (!found.has(key)) this.error(at, `"${key}" of "${action}" is missing`)
    return this.errors.length > before ? undefined : fields
  }

  #pairs(node: Node | null, at: number, message: string) {
    if (!this.#yaml.isMap(node)) {
      this.error(at, message)
      return []
    }
    return node.items.map((item) => {
      const { key, value } = item as Pair<Node, Node | null>
      return { key: this.#text(key) ?? '', keyAt: key?.range?.[0] ?? at, value }
    })
  }

  #text(node: Node | null): string | undefined {
    if (!this.#yaml.isScalar(node) || node.value === null) return undefined
    return node.source ?? String(node.value)
  }
}

const expected: Readonly<Record<Kind, string>> = {
  text: 'a text',
  count: 'a whole number above 0',
  whole: 'a whole number',
  amount: 'an amount such as 12.50',
  duration: 'a duration such as 26h',
  bool: 'true or false',
}

function fits(kind: Kind, text: string): boolean {
  if (kind === 'text') return text !== '' && text.length <= 500
  if (kind === 'count') return /^[1-9]\d{0,6}$/.test(text)
  if (kind === 'whole') return /^\d{1,7}$/.test(text)
  if (kind === 'amount') return /^-?\d{1,12}(\.\d{1,4})?$/.test(text)
  if (kind === 'bool') return text === 'true' || text === 'false'
  return (durationMs(text) ?? 0) > 0
}
