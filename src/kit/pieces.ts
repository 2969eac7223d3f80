/** Returns a list in pieces of at most a size, in order: for statements with a limited number of values. */
export function* piecesOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size)
}
