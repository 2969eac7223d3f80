import type { Document, LineCounter, Node, Pair, YAMLMap } from 'yaml'
import {
  canBe,
  type ExpectedType,
  expectedTypeFrom,
  type Macro,
  type MacroPart,
  partsOf,
  type VariableType,
} from '../../../domain/tickets/macro.ts'
import { nearest } from '../../../kit/nearest.ts'
import { Problem } from '../../../kit/problem.ts'
import { macroVariables } from './macro-variables.ts'

/**
 * The macro file: YAML or JSON. A macro has a text for each language tag, with `default` as the fallback. Or it has
 * `texts` and `variables`, which sets the types of variables for all languages.
 */

export interface MacroFile {
  readonly macros: readonly Macro[]
  readonly internalWords: readonly string[]
}

interface LineFault {
  readonly line: number
  readonly text: string
}

/** Maximum number of errors in the message; the error details have all. */
const maxListedErrors = 10

/** Parses the file. Throws INVALID_FILE with every error and its line. */
export async function macrosFrom(source: string, file: string): Promise<MacroFile> {
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  const document = yaml.parseDocument(source, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
  const reader = new Reader(yaml, document, lines, source)
  for (const { pos, message } of [...document.errors, ...document.warnings])
    reader.notYaml(pos[0], message.split('\n')[0] ?? message)
  const content = reader.faults.length > 0 ? { macros: [], internalWords: [] } : reader.file()
  if (reader.faults.length === 0) return content
  const faults = [...reader.faults].sort((a, b) => a.line - b.line)
  const messages = faults.slice(0, maxListedErrors).map(({ line, text }) => `line ${line}: ${text}`)
  const more = faults.length > maxListedErrors ? `; and ${faults.length - maxListedErrors} more` : ''
  throw new Problem('INVALID_FILE', `${file}: ${messages.join('; ')}${more}`, { file, faults })
}

type Yaml = typeof import('yaml')

class Reader {
  readonly faults: LineFault[] = []
  readonly #yaml: Yaml
  readonly #document: Document.Parsed
  readonly #lines: LineCounter
  readonly #source: string

  constructor(yaml: Yaml, document: Document.Parsed, lines: LineCounter, source: string) {
    this.#yaml = yaml
    this.#document = document
    this.#lines = lines
    this.#source = source
  }

  file(): MacroFile {
    const top = this.#map(this.#document.contents, 'the file must have "macros" and may have "internalWords"')
    if (!top) return { macros: [], internalWords: [] }
    this.#known(top, ['macros', 'internalWords'])
    return { macros: this.#macros(top), internalWords: this.#words(top) }
  }

  notYaml(at: number, message: string): void {
    const { line } = this.#lines.linePos(at)
    const isBraces = /:\s*\{\{/.test(this.#source.split('\n')[line - 1] ?? '')
    const hint = isBraces ? '; put text that starts with {{ in quotes' : ''
    this.faults.push({ line, text: `${message}${hint}` })
  }

  #macros(top: YAMLMap): Macro[] {
    const node = this.#at(top, 'macros')
    if (node === undefined) return []
    const macros = this.#map(node, '"macros" must map names to texts')
    return (macros?.items ?? []).flatMap((pair) => this.#macro(pair as Pair) ?? [])
  }

  #macro(pair: Pair): Macro | undefined {
    const name = this.#name(pair)
    const node = this.#resolved(pair.value)
    if (!/^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u.test(name))
      return this.#fault(pair.key, `"${name}" is not a valid macro name; use letters, digits, _ . and -`)
    const map = this.#map(node, `macro "${name}" must have texts by language tag, or "default"`, pair.key)
    if (!map) return undefined
    const isLong = this.#at(map, 'texts') !== undefined
    if (isLong) this.#known(map, ['texts', 'variables'], `macro "${name}"`)
    const expectedTypes = isLong ? this.#expectedTypes(this.#at(map, 'variables'), name) : {}
    const texts = isLong ? this.#map(this.#at(map, 'texts'), `"texts" of macro "${name}" must be by language`) : map
    if (texts && texts.items.length === 0) return this.#fault(pair.key, `macro "${name}" has no text`)
    const read: Record<string, readonly MacroPart[]> = {}
    for (const each of texts?.items ?? []) {
      const tag = this.#name(each as Pair)
      const parts = this.#text(each as Pair, tag, name, expectedTypes)
      if (parts) read[tag] = parts
    }
    const used = new Set(Object.values(read).flatMap((parts) => parts.flatMap((part) => variableIn(part) ?? [])))
    for (const [variable, { line }] of Object.entries(expectedTypes))
      if (!used.has(variable)) this.faults.push({ line, text: `no text of macro "${name}" uses {{${variable}}}` })
    return { name, texts: read }
  }

  #text(
    pair: Pair,
    tag: string,
    name: string,
    expectedTypes: Readonly<Record<string, ExpectedType & { line: number }>>,
  ): MacroPart[] | undefined {
    const node = this.#resolved(pair.value)
    if (tag !== 'default' && !/^[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8})*$/.test(tag))
      return this.#fault(pair.key, `"${tag}" of macro "${name}" is not a language tag or "default"`)
    if (!this.#yaml.isScalar(node) || typeof node.value !== 'string' || node.value.trim() === '')
      return this.#fault(node ?? pair.key, `macro "${name}" must have a text in ${tag}`)
    const lineAt = this.#linesOf(node, node.value)
    const { parts, faults } = partsOf(node.value, lineAt, expectedTypes)
    for (const { index, text } of faults)
      this.faults.push({ line: lineAt(index), text: `in macro "${name}" (${tag}): ${text}` })
    for (const part of parts) {
      if (typeof part === 'string') continue
      const fault = variableFault(part.variable, part.expected?.type)
      if (fault !== undefined)
        this.faults.push({ line: part.line ?? lineAt(0), text: `in macro "${name}" (${tag}): ${fault}` })
    }
    return parts
  }

  #expectedTypes(node: Node | undefined, name: string): Record<string, ExpectedType & { line: number }> {
    if (node === undefined) return {}
    const map = this.#map(node, `"variables" of macro "${name}" must map each to a type`)
    const expectedTypes: Record<string, ExpectedType & { line: number }> = {}
    for (const each of (map?.items ?? []) as Pair[]) {
      const variable = this.#name(each)
      const value = this.#resolved(each.value)
      const text = this.#yaml.isScalar(value) ? String(value.value) : ''
      const type = expectedTypeFrom(text)
      if (typeof type === 'string') this.#fault(value ?? each.key, `macro "${name}", ${variable}: ${type}`)
      else expectedTypes[variable] = { ...type, line: this.#line(each.key) }
    }
    return expectedTypes
  }

  #words(top: YAMLMap): string[] {
    const node = this.#at(top, 'internalWords')
    if (node === undefined) return []
    if (!this.#yaml.isSeq(node)) {
      this.#fault(node, '"internalWords" must be a list of words')
      return []
    }
    return node.items.flatMap((item) => {
      const word = this.#resolved(item)
      if (this.#yaml.isScalar(word) && typeof word.value === 'string' && word.value.trim() !== '') return [word.value]
      this.#fault(word ?? node, 'an internal word must be a text; put words that look like numbers in quotes')
      return []
    })
  }

  /** Returns the line of each position of a text in the file, or that of the text itself. */
  #linesOf(node: Node, value: string): (index: number) => number {
    const [from = 0, to = from] = node.range ?? []
    const inSource = [...this.#source.slice(from, to).matchAll(/\{\{/g)].map((match) => from + match.index)
    const inText = [...value.matchAll(/\{\{/g)].map((match) => match.index)
    const isSameCount = inSource.length === inText.length
    return (index) => {
      const at = isSameCount ? inSource[inText.indexOf(index)] : undefined
      return this.#lines.linePos(at ?? from).line
    }
  }

  #known(map: YAMLMap, names: readonly string[], subject = 'the file'): void {
    for (const pair of map.items as Pair[]) {
      const name = this.#name(pair)
      if (names.includes(name)) continue
      const near = nearest(name, names, 1)[0]
      const hint = near === undefined ? `valid keys: ${names.join(' and ')}` : `did you mean "${near}"?`
      this.#fault(pair.key, `${subject} has an unknown key "${name}"; ${hint}`)
    }
  }

  #map(node: unknown, otherwise: string, faultNode: unknown = node): YAMLMap | undefined {
    const resolved = this.#resolved(node)
    if (this.#yaml.isMap(resolved)) return resolved
    return this.#fault(resolved ?? faultNode, otherwise)
  }

  #at(map: YAMLMap, name: string): Node | undefined {
    const pair = (map.items as Pair[]).find((each) => this.#name(each) === name)
    return pair && (this.#resolved(pair.value) ?? undefined)
  }

  #name({ key }: Pair): string {
    return this.#yaml.isScalar(key) ? String(key.value) : String(key)
  }

  #resolved(node: unknown): Node | undefined {
    const resolved = this.#yaml.isAlias(node) ? node.resolve(this.#document) : node
    return this.#yaml.isNode(resolved) ? resolved : undefined
  }

  #line(node: unknown): number {
    const at = this.#yaml.isNode(node) ? (node.range?.[0] ?? 0) : 0
    return this.#lines.linePos(at).line || 1
  }

  #fault(node: unknown, text: string): undefined {
    this.faults.push({ line: this.#line(node), text })
    return undefined
  }
}

const variableIn = (part: MacroPart): string | undefined => (typeof part === 'string' ? undefined : part.variable)

/** Returns the error of a variable, by its name alone. The types of form fields are known only with the form. */
function variableFault(variable: string, type: VariableType | undefined): string | undefined {
  if (variable.startsWith('field.') && variable.length > 'field.'.length) return undefined
  const known = Object.hasOwn(macroVariables, variable)
  if (!known) {
    const names = [...Object.keys(macroVariables), 'field.CODE']
    const near = nearest(variable, names, 1)[0]
    return `unknown variable {{${variable}}}; ${near === undefined ? `available: ${names.join(', ')}` : `did you mean {{${near}}}?`}`
  }
  const have = macroVariables[variable as keyof typeof macroVariables]
  return type === undefined || canBe(have, type) ? undefined : `{{${variable}}} is of type ${have}, not ${type}`
}
