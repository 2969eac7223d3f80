import { parseSync } from 'rolldown/utils'

/** One small change of a source file that a test should notice. */
export interface Mutant {
  /** Offsets of the text that is replaced. */
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** Kind of mistake it represents. */
  readonly kind: 'constant' | 'order' | 'comparison' | 'arithmetic' | 'logic'
  readonly line: number
  /**
   * Number of the innermost function that contains it, counted as `functionsOf` does; 0 for code that runs when the
   * file is loaded.
   */
  readonly owner: number
}

export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

const comparisons: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
}
const arithmetic: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' }
const assignments: Readonly<Record<string, string>> = { '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=' }
/** Operators and directions that a query takes as text. */
const queried: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '=': ['!='],
  '!=': ['='],
  '+': ['-'],
  '-': ['+'],
  asc: ['desc'],
  desc: ['asc'],
}
const logic: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' }
const methods: ReadonlyMap<string, string> = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['some', 'every'],
  ['every', 'some'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['trunc', 'ceil'],
  ['startsWith', 'endsWith'],
])

/**
 * Returns every mutant of a TypeScript source: constants off by one, neighbors swapped in literal lists, comparisons, arithmetic
 * and logic, in the code and in its queries.
 */
export function mutantsOf(source: string): Mutant[] {
  const mutants: Mutant[] = []
  const functions = functionsOf(source)
  const ownerOf = (at: number) => 1 + functions.findLastIndex(({ body }) => body.start <= at && at < body.end)
  const add = (kind: Mutant['kind'], start: number, end: number, replacement: string) =>
    mutants.push({
      kind,
      start,
      end,
      replacement,
      line: source.slice(0, start).split('\n').length,
      owner: ownerOf(start),
    })
  const text = ({ start, end }: Node) => source.slice(start, end)
  const unordered = new Set<unknown>()
  const visit = (node: Node) => {
    if (isType(node)) return
    if (node.type === 'Literal')
      for (const other of neighborsOf(text(node))) add('constant', node.start, node.end, other)
    for (const list of unorderedIn(node, text)) unordered.add(list)
    if (node.type === 'ArrayExpression' && !unordered.has(node)) swaps(node.elements as Node[], text, add)
    const { operator } = node
    if (typeof operator === 'string') {
      const at = operatorAt(node, source)
      if (node.type === 'BinaryExpression') {
        for (const other of comparisons[operator] ?? []) add('comparison', at, at + operator.length, other)
        const opposite = arithmetic[operator]
        if (opposite && !isText(node, text)) add('arithmetic', at, at + operator.length, opposite)
      }
      const other = logic[operator]
      if (node.type === 'LogicalExpression' && other) add('logic', at, at + operator.length, other)
      if (node.type === 'UnaryExpression' && operator === '!') add('logic', node.start, node.start + 1, '')
    }
    if (node.type === 'AssignmentExpression' && typeof operator === 'string') {
      const opposite = assignments[operator]
      const at = operatorAt(node, source)
      if (opposite && !isText(node, text)) add('arithmetic', at, at + operator.length, opposite)
    }
    if (node.type === 'CallExpression') {
      // A comparison or sum in a query, or the direction of its order.
      for (const part of (node.arguments as readonly Node[]).slice(1))
        if (part.type === 'Literal' && typeof part.value === 'string')
          for (const other of queried[part.value] ?? []) add(kindOf(part.value), part.start + 1, part.end - 1, other)
      const property = (node.callee as Node).property as Node | undefined
      const other = property && methods.get(text(property))
      if (property && other) add('logic', property.start, property.end, other)
    }
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parseSync('mutated.ts', source).program as unknown as Node)
  return mutants.sort((a, b) => a.start - b.start)
}

function kindOf(operator: string): Mutant['kind'] {
  if (operator in arithmetic) return 'arithmetic'
  return operator.endsWith('sc') ? 'order' : 'comparison'
}

/**
 * Returns the functions of a source in the order of their start, so that the last one around a position is the
 * innermost.
 */
export function functionsOf(source: string): { readonly body: Node }[] {
  const functions: { readonly body: Node }[] = []
  const visit = (node: Node) => {
    const { body } = node
    if (/Function/.test(node.type) && isNode(body)) functions.push({ body })
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parseSync('mutated.ts', source).program as unknown as Node)
  return functions.sort((a, b) => a.body.start - b.body.start)
}

/** Types are erased before a run, and imports name files. */
function isType({ type }: Node): boolean {
  return /^TS(?!AsExpression|SatisfiesExpression|NonNullExpression|EnumDeclaration)/.test(type) || /^Import/.test(type)
}

/** Lists whose order has no effect: the columns of a query, the values of its `in`, the members of a set. */
function unorderedIn(node: Node, text: (node: Node) => string): readonly Node[] {
  const parts = (node.arguments as readonly Node[] | undefined) ?? []
  if (node.type === 'NewExpression' && text(node.callee as Node) === 'Set') return parts
  const property = node.type === 'CallExpression' ? ((node.callee as Node).property as Node | undefined) : undefined
  const name = property && text(property)
  if (name === 'select' || name === 'groupBy') return parts
  const [, operator, values] = parts
  return name === 'where' && operator && values && /^'(not )?in'$/.test(text(operator)) ? [values] : []
}

/** Returns a number, a big integer or an amount as text, one more and one less in its last digit. */
function neighborsOf(literal: string): string[] {
  const [, amount] = /^'([0-9]+\.?[0-9]*)'$/.exec(literal) ?? []
  if (amount !== undefined) return decimalsNextTo(amount).map((other) => `'${other}'`)
  if (/^[0-9]+\.[0-9]+$/.test(literal)) return decimalsNextTo(literal)
  if (/^0x[0-9a-f]+$/i.test(literal) || /^[0-9]+e[0-9]+$/.test(literal))
    return [`${Number(literal) + 1}`, `${Number(literal) - 1}`]
  const [, digits = '', big = ''] = /^([0-9][0-9_]*)(n?)$/.exec(literal) ?? []
  if (digits === '') return []
  const value = BigInt(digits.replaceAll('_', ''))
  return [value + 1n, value - 1n].filter((other) => other >= 0n).map((other) => `${other}${big}`)
}

function decimalsNextTo(text: string): string[] {
  const point = text.indexOf('.')
  const digits = text.replace('.', '')
  return [BigInt(digits) + 1n, BigInt(digits) - 1n]
    .filter((other) => other >= 0n)
    .map((other) => {
      const padded = other.toString().padStart(digits.length, '0')
      const whole = padded.length - (point === -1 ? 0 : text.length - 1 - point)
      return point === -1 ? padded : `${padded.slice(0, whole)}.${padded.slice(whole)}`
    })
}

/** Returns a list of literals with each pair of neighbors swapped. */
function swaps(
  elements: readonly Node[],
  text: (node: Node) => string,
  add: (kind: 'order', start: number, end: number, replacement: string) => void,
): void {
  if (!elements.every((each) => each?.type === 'Literal')) return
  for (const [i, one] of elements.entries()) {
    const next = elements[i + 1]
    if (next && text(one) !== text(next)) add('order', one.start, next.end, `${text(next)}, ${text(one)}`)
  }
}

/** True if a sum joins texts. */
function isText({ left, right }: Node, text: (node: Node) => string): boolean {
  return [left, right].some((side) => /^['"`]|['"`]$/.test(text(side as Node)))
}

function operatorAt({ type, start, left, right, operator }: Node, source: string): number {
  if (type === 'UnaryExpression') return start
  return source.indexOf(
    String(operator),
    (left as Node | undefined)?.end ?? (right as Node | undefined)?.start ?? start,
  )
}

function childrenOf(node: Node): Node[] {
  return Object.entries(node)
    .filter(([name]) => name !== 'typeAnnotation' && name !== 'returnType' && name !== 'typeParameters')
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
