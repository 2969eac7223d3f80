import type { Mutant } from './mutants.ts'

/** docs/mutation.md: the figures of each file, and the survivors with their reasons. */

export const leastPercent = 95

/** Names a mutant by the text of its line with the change in it, so that the name outlives other changes of the file. */
export function nameOf(source: string, text: string, { start, end, replacement }: Mutant): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const at = text.indexOf('\n', end)
  const lineEnd = at === -1 ? text.length : at
  const line = `${text.slice(lineStart, start)}⟦${text.slice(start, end)} → ${replacement}⟧${text.slice(end, lineEnd)}`
  return `${source}: \`${line.trim().replace(/\s+/g, ' ')}\``
}

/** Reads the survivors that are listed with a reason: `- name — reason`. */
export function readRecord(markdown: string): { readonly listed: ReadonlySet<string> } {
  const lines = markdown.split('\n').flatMap((line) => /^- (src\/.*`) — \S/.exec(line)?.[1] ?? [])
  return { listed: new Set(lines) }
}

interface Figures {
  readonly source: string
  readonly mutants: number
  readonly survivors: readonly string[]
}

const row = /^\| `(src\/[^`]+)` \| (\d+) \| (\d+) \|.*$/

/** Puts the figures of measured files into the table, and its total at the end. */
export function withFigures(markdown: string, measured: readonly Figures[]): string {
  const figures = new Map<string, { mutants: number; noticed: number }>()
  const lines = markdown.split('\n')
  for (const line of lines) {
    const [, source, mutants, noticed] = row.exec(line) ?? []
    if (source) figures.set(source, { mutants: Number(mutants), noticed: Number(noticed) })
  }
  for (const { source, mutants, survivors } of measured)
    if (mutants > 0) figures.set(source, { mutants, noticed: mutants - survivors.length })
  const percent = (noticed: number, mutants: number) => ((100 * noticed) / mutants).toFixed(1)
  const sorted = [...figures].sort(([a], [b]) => (a < b ? -1 : 1))
  const rows = sorted.map(
    ([source, { mutants, noticed }]) => `| \`${source}\` | ${mutants} | ${noticed} | ${percent(noticed, mutants)} |`,
  )
  const sum = sorted.reduce(
    (sum, [, each]) => ({ mutants: sum.mutants + each.mutants, noticed: sum.noticed + each.noticed }),
    { mutants: 0, noticed: 0 },
  )
  const total = `| total | ${sum.mutants} | ${sum.noticed} | ${percent(sum.noticed, sum.mutants)} |`
  const isFigure = (line: string) => row.test(line) || /^\| total \|/.test(line)
  const head = lines.findIndex((line) => /^\|---\|---:\|/.test(line))
  const rest = lines.filter((line) => !isFigure(line))
  return [...rest.slice(0, head + 1), ...rows, total, ...rest.slice(head + 1)].join('\n')
}
