import { distance } from 'fastest-levenshtein'

/** Returns the known words closest to an unknown one, if any is close enough. For suggestions only, never to act on. */
export function nearest(word: string, known: Iterable<string>, maxResults = 3): string[] {
  const lowerCase = word.toLowerCase()
  // At most a third of the letters may differ: beyond that a suggestion confuses more than it helps.
  const limit = Math.max(1, Math.floor(lowerCase.length / 3))
  const measured = [...new Set(known)].map((candidate) => ({
    candidate,
    distance: editDistance(lowerCase, candidate.toLowerCase()),
  }))
  const nearest = Math.min(limit, ...measured.map(({ distance }) => distance))
  return measured
    .filter(({ distance }) => distance === nearest)
    .map(({ candidate }) => candidate)
    .sort()
    .slice(0, maxResults)
}

/** Returns the number of letters to insert, delete or replace to turn `a` into `b`. Swapping two neighbors counts as one. */
export const editDistance = (a: string, b: string): number => (isSwap(a, b) ? 1 : distance(a, b))

function isSwap(a: string, b: string): boolean {
  const i = [...a].findIndex((letter, index) => letter !== b[index])
  return i !== -1 && a !== b && a.slice(0, i) + (a[i + 1] ?? '') + a[i] + a.slice(i + 2) === b
}
