import { createHash } from 'node:crypto'
import { minifySync, transformSync } from 'rolldown/utils'
import type { Mutant } from './mutants.ts'

/** docs/mutation.md: the figures of each file, and the survivors with their reasons. */

export const leastPercent = 95

/**
 * Returns the names of all mutants of a file. Equal lines are numbered, because a change can be without effect on one of
 * them only.
 */
export function namesIn(source: string, text: string, mutants: readonly Mutant[]): Map<Mutant, string> {
  const names = new Map<Mutant, string>()
  for (const [name, same] of Map.groupBy(mutants, (mutant) => nameOf(source, text, mutant)))
    for (const [i, mutant] of same.entries())
      names.set(mutant, same.length === 1 ? name : `${name} (${i + 1} of ${same.length})`)
  return names
}

/**
 * Returns the name of a mutant: the text of its line with the change in it. The name stays valid when other lines of
 * the file change.
 */
function nameOf(source: string, text: string, { start, end, replacement }: Mutant): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const at = text.indexOf('\n', end)
  const lineEnd = at === -1 ? text.length : at
  const line = `${text.slice(lineStart, start)}⟦${text.slice(start, end)} → ${replacement}⟧${text.slice(end, lineEnd)}`
  return `${source}: \`${line.trim().replace(/\s+/g, ' ')}\``
}

/** Reads the survivors that are listed with a reason: `- name — reason`, with `(2 of 3)` after a name of equal lines. */
export function readRecord(markdown: string): { readonly listed: ReadonlySet<string> } {
  const lines = markdown.split('\n').flatMap((line) => /^- (src\/.*`(?: \(\d+ of \d+\))?) — \S/.exec(line)?.[1] ?? [])
  return { listed: new Set(lines) }
}

export interface Figures {
  readonly source: string
  readonly mutants: number
  readonly survivors: readonly string[]
  readonly code: string
  /** Mutants that no test failed with, but that made one loop forever. */
  readonly timeouts: number
}

interface Counts {
  readonly mutants: number
  readonly noticed: number
  /** Survivors that are listed, because no test can notice them. */
  readonly equivalent: number
}

interface Row extends Counts {
  /** Day of the measurement: `2026-11-25`. */
  readonly measured: string
  /** Digest of the measured code, by `codeOf`. */
  readonly code: string
}

const row = /^\| `(src\/[^`]+)` \| (\d+) \| (\d+) \| (\d+) \| [\d.]+ \|(?: (\S+) \| `(\w+)` \|)?/

/** Returns a digest of a source without its types, comments and layout, which identifies the code of its figures. */
export function codeOf(text: string): string {
  const { code } = minifySync('code.js', transformSync('code.ts', text).code, { compress: false, mangle: false })
  return createHash('sha256').update(code).digest('hex').slice(0, 8)
}

/** Returns the noticed mutants in percent of those that a test could notice. */
export function percentOf({ mutants, noticed, equivalent }: Counts): number {
  return mutants === equivalent ? 100 : (100 * noticed) / (mutants - equivalent)
}

export function rowOf({ mutants, survivors }: Figures, listed: ReadonlySet<string>): Counts {
  const equivalent = survivors.filter((survivor) => listed.has(survivor)).length
  return { mutants, noticed: mutants - survivors.length, equivalent }
}

export function sumOf(rows: readonly Counts[]): Counts {
  const total = (key: keyof Counts) => rows.reduce((sum, each) => sum + each[key], 0)
  return { mutants: total('mutants'), noticed: total('noticed'), equivalent: total('equivalent') }
}

/** Reads the figures of the table, by source. */
export function readRows(markdown: string): Map<string, Row> {
  const rows = new Map<string, Row>()
  for (const line of markdown.split('\n')) {
    const [, source, mutants, noticed, equivalent, measured = '', code = ''] = row.exec(line) ?? []
    const counts = { mutants: Number(mutants), noticed: Number(noticed), equivalent: Number(equivalent) }
    if (source) rows.set(source, { ...counts, measured, code })
  }
  return rows
}

/** Puts the figures of measured files into the table, and its total at the end. */
export function withFigures(markdown: string, measured: readonly Figures[], day: string): string {
  const { listed } = readRecord(markdown)
  const rows = readRows(markdown)
  const lines = markdown.split('\n')
  for (const each of measured)
    if (each.mutants > 0) rows.set(each.source, { ...rowOf(each, listed), measured: day, code: each.code })
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
  const cells = (name: string, each: Counts) =>
    `| ${name} | ${each.mutants} | ${each.noticed} | ${each.equivalent} | ${percentOf(each).toFixed(1)} |`
  const written = sorted.map(
    ([source, each]) => `${cells(`\`${source}\``, each)} ${each.measured} | \`${each.code}\` |`,
  )
  const rest = lines.filter((line) => !row.test(line) && !line.startsWith('| total |'))
  const head = rest.findIndex((line) => line.startsWith('|---|---:|'))
  return [
    ...rest.slice(0, head + 1),
    ...written,
    `${cells('total', sumOf([...rows.values()]))} | |`,
    ...rest.slice(head + 1),
  ].join('\n')
}
