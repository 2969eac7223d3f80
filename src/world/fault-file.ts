import type { LineCounter, Node, Pair, YAMLMap } from 'yaml'
import { faultKinds, faultStatuses, faultyServices, isFaultKind } from '../domain/faults.ts'
import { durationMs } from '../kit/duration.ts'
import { nearest } from '../kit/nearest.ts'
import { isProblem, Problem } from '../kit/problem.ts'
import { checked, type FaultInput } from './fault-input.ts'

/** The faults file of `--faults`: a YAML or JSON list, each entry with `kind` and the flags of `sim faults add` as keys. */

/** A fault of the file. `until` may be a duration, which begins when the fault is set. */
export type FileFault = Omit<FaultInput, 'until'> & {
  readonly until?: { readonly at: number } | { readonly inMs: number }
}

interface LineFault {
  readonly line: number
  readonly text: string
}

/** Maximum number of errors in the message; the error details have all. */
const maxListed = 10
/** Maximum number of faults in a file. */
const maxFaults = 1_000

const keys = [
  'kind',
  'service',
  'endpoint',
  'times',
  'every',
  'chance',
  'until',
  'for',
  'status',
  'code',
  'retry-after',
] as const
type Key = (typeof keys)[number]

/** Loads the parser of YAML files, which only commands that read one need. */
export const loadYaml = (): Promise<typeof import('yaml')> => import('yaml')

/** Reads the file. Throws INVALID_FILE with every error and its line. */
export async function faultsFrom(source: string, file: string): Promise<FileFault[]> {
  const yaml = await loadYaml()
  const lines = new yaml.LineCounter()
  const document = yaml.parseDocument(source, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
  const reader = new FaultReader(yaml, lines)
  for (const { pos, message } of [...document.errors, ...document.warnings])
    reader.fault(pos[0], message.split('\n')[0] ?? message)
  const read = reader.faults.length > 0 ? [] : reader.list(document.contents)
  if (reader.faults.length === 0) return read
  const faults = reader.faults.toSorted((a, b) => a.line - b.line)
  const messages = faults.slice(0, maxListed).map(({ line, text }) => `line ${line}: ${text}`)
  const more = faults.length > maxListed ? `; and ${faults.length - maxListed} more` : ''
  throw new Problem('INVALID_FILE', `${file}: ${messages.join('; ')}${more}`, { file, faults })
}

/** Returns the input for a file's fault at a moment of the world. */
export function faultAt({ until, ...fault }: FileFault, now: number): FaultInput {
  return until === undefined ? fault : { ...fault, until: 'at' in until ? until.at : now + until.inMs }
}

/** Reads faults of a YAML document, and collects errors with their lines. */
export class FaultReader {
  readonly faults: LineFault[] = []
  readonly #yaml: typeof import('yaml')
  readonly #lines: LineCounter

  constructor(yaml: typeof import('yaml'), lines: LineCounter) {
    this.#yaml = yaml
    this.#lines = lines
  }

  fault(at: number, text: string): undefined {
    this.faults.push({ line: this.#lines.linePos(at).line, text })
  }

  list(content: Node | null): FileFault[] {
    if (!this.#yaml.isSeq(content)) {
      this.fault(content?.range?.[0] ?? 0, 'the file must be a list of faults, such as "- kind: cut-after"')
      return []
    }
    if (content.items.length > maxFaults)
      this.fault(content.range?.[0] ?? 0, `the list has more than ${maxFaults} faults`)
    return content.items.slice(0, maxFaults).flatMap((item) => this.one(item as Node) ?? [])
  }

  one(node: Node): FileFault | undefined {
    const at = node?.range?.[0] ?? 0
    if (!this.#yaml.isMap(node)) return this.fault(at, 'a fault must be a map with "kind"')
    const before = this.faults.length
    const values = this.#values(node)
    if (values.get('kind') === undefined) this.fault(at, `"kind" is missing; it is one of ${faultKinds.join(', ')}`)
    const fault = this.#faultFrom(values)
    if (this.faults.length > before || fault === undefined) return undefined
    try {
      checked(faultAt(fault, 0))
      return fault
    } catch (error) {
      if (!isProblem(error)) throw error
      return this.fault(at, error.message)
    }
  }

  /** Reads the scalars of a map by their keys. */
  #values(map: YAMLMap): Map<Key, { at: number; text: string }> {
    const values = new Map<Key, { at: number; text: string }>()
    for (const item of map.items) {
      const { key, value } = item as Pair<Node, Node | null>
      const at = key?.range?.[0] ?? 0
      const name = this.#yaml.isScalar(key) ? String(key.value) : ''
      const known = keys.find((each) => each === name)
      if (known === undefined) {
        const [near] = nearest(name, keys, 1)
        this.fault(
          at,
          `unknown key "${name}"${near === undefined ? `; keys are ${keys.join(', ')}` : `; did you mean "${near}"?`}`,
        )
      } else if (!this.#yaml.isScalar(value) || value.value === null || typeof value.value === 'boolean') {
        this.fault(at, `"${name}" must be a text or a number`)
        // Kept as an empty text, so that the key is not reported as missing too.
        values.set(known, { at, text: '' })
      } else values.set(known, { at, text: value.source ?? String(value.value) })
    }
    return values
  }

  #faultFrom(values: ReadonlyMap<Key, { at: number; text: string }>): FileFault | undefined {
    const take = <T>(key: Key, read: (text: string) => T | undefined, expected: string): T | undefined => {
      const value = values.get(key)
      if (value === undefined || value.text === '') return undefined
      const result = read(value.text)
      if (result === undefined)
        this.fault(value.at, `"${key}" must be ${expected}; received ${JSON.stringify(value.text.slice(0, 40))}`)
      return result
    }
    const count = (text: string) => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined)
    const kind = take('kind', (text) => (isFaultKind(text) ? text : undefined), `one of ${faultKinds.join(', ')}`)
    const fields = {
      service: take(
        'service',
        (text) => faultyServices.find((each) => each === text),
        `one of ${faultyServices.join(', ')}`,
      ),
      endpoint: take('endpoint', (text) => text, 'a text'),
      times: take('times', count, 'a whole number above 0'),
      every: take('every', count, 'a whole number above 0'),
      chance: take('chance', chanceOf, 'a number above 0, at most 1'),
      until: take('until', untilOf, 'a duration such as 1h, or a time such as 2026-03-01T00:00:00Z'),
      forMs: take('for', (text) => durationMs(text) || undefined, 'a duration such as 500ms or 3s'),
      status: take(
        'status',
        (text) => faultStatuses.find((each) => String(each) === text),
        `one of ${faultStatuses.join(', ')}`,
      ),
      code: take('code', (text) => text, 'a text'),
      retryAfterSeconds: take('retry-after', (text) => (/^\d{1,5}$/.test(text) ? Number(text) : undefined), 'seconds'),
    }
    if (kind === undefined) return undefined
    const { until, ...rest } = fields
    return until === undefined ? { kind, ...rest } : { kind, ...rest, until }
  }
}

function chanceOf(text: string): number | undefined {
  return /^(0?\.\d{1,6}|1(\.0*)?)$/.test(text) && Number(text) > 0 ? Number(text) : undefined
}

function untilOf(text: string): { at: number } | { inMs: number } | undefined {
  const inMs = durationMs(text)
  if (inMs !== undefined) return inMs > 0 ? { inMs } : undefined
  const hasZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text)
  const at = hasZone ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : { at }
}
