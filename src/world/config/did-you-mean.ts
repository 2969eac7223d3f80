/** The words closest to one that is not known, where any is close enough to be what was meant. For saying so, never for acting on it. */
export function nearest(word: string, known: Iterable<string>, most = 3): string[] {
  const asked = word.toLowerCase()
  // A third of the letters may be wrong: beyond that a suggestion confuses more than it helps.
  const limit = Math.max(1, Math.floor(asked.length / 3))
  const measured = [...new Set(known)].map((candidate) => ({
    candidate,
    distance: editDistance(asked, candidate.toLowerCase()),
  }))
  const least = Math.min(limit, ...measured.map(({ distance }) => distance))
  return measured
    .filter(({ distance }) => distance === least)
    .map(({ candidate }) => candidate)
    .sort()
    .slice(0, most)
}

/** How many letters must be put in, taken out, replaced or swapped with their neighbour to make `a` into `b`. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced))
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwapped) row[j] = Math.min(at(row, j), at(beforeLast, j - 2) + 1)
    }
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

const at = (row: readonly number[], index: number): number => row[index] ?? 0
